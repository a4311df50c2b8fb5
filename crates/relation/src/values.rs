//! The values of a part of a vector, numbered as they are met.

/// In place of a number.
const NOTHING: u32 = u32::MAX;

/// The values of a part. One that is not there counts as zeros.
///
/// Invariant: all values are kept with the same length, that of the longest, filled up with zeros.
/// How many bytes of a value count is known by whoever asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    /// A hash table of numbers with linear probing. At least a third is empty.
    table: Vec<u32>,
    len: u32,
    stride: usize,
    /// By number, one behind the other.
    bytes: Vec<u8>,
}

impl Values {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// The length of the longest.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// The number of a value. A new one gets the next number.
    pub(crate) fn number(&mut self, value: &[u8]) -> u32 {
        if value.len() > self.stride {
            self.lengthen(value.len());
        }
        if 3 * self.len as usize >= 2 * self.table.len() {
            self.rehash((self.table.len() * 3 / 2).max(4));
        }
        let at = self.slot(value);
        if self.table[at] != NOTHING {
            return self.table[at];
        }
        let number = self.len;
        self.len += 1;
        grow_by_a_part(&mut self.bytes, self.stride);
        self.bytes.extend_from_slice(value);
        self.bytes.resize(self.len as usize * self.stride, 0);
        self.table[at] = number;
        number
    }

    /// The value of a number, as long as the longest one.
    #[inline]
    pub(crate) fn value(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize * self.stride..][..self.stride]
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.table.capacity() * size_of::<u32>()
    }

    /// The slot of the number of a value, or where it belongs.
    fn slot(&self, value: &[u8]) -> usize {
        let mut at = (hash(value) % self.table.len() as u64) as usize;
        while self.table[at] != NOTHING && !is_same(self.value(self.table[at]), value) {
            at = if at + 1 == self.table.len() {
                0
            } else {
                at + 1
            };
        }
        at
    }

    fn rehash(&mut self, slots: usize) {
        self.table.clear();
        self.table.resize(slots, NOTHING);
        for number in 0..self.len {
            let at = self.slot(self.value(number));
            self.table[at] = number;
        }
    }

    fn lengthen(&mut self, stride: usize) {
        let mut bytes = vec![0; self.len as usize * stride];
        for number in 0..self.len {
            bytes[number as usize * stride..][..self.stride].copy_from_slice(self.value(number));
        }
        (self.bytes, self.stride) = (bytes, stride);
        // Zeros at the end do not count in a hash, so all slots stay.
    }
}

/// Without the zeros at the end.
fn hash(value: &[u8]) -> u64 {
    let end = value
        .iter()
        .rposition(|&byte| byte != 0)
        .map_or(0, |last| last + 1);
    store::hash(&value[..end])
}

/// Whether two values are the same but for zeros at the end; the first is not shorter.
fn is_same(long: &[u8], short: &[u8]) -> bool {
    let (front, rest) = long.split_at(short.len());
    front == short && rest.iter().all(|&byte| byte == 0)
}

/// Make room for more, not much more than is needed.
fn grow_by_a_part<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() < list.len() + more {
        list.reserve_exact(more.max(list.len() / 4));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        let mut values = Values::default();
        for _ in 0..2 {
            for n in 0..70_000_u32 {
                assert_eq!(values.number(&n.to_le_bytes()), n);
            }
        }
        assert_eq!(values.len(), 70_000);
        for n in 0..70_000 {
            assert_eq!(values.value(n), n.to_le_bytes());
        }
    }

    #[test]
    fn zeros_at_the_end_do_not_count() {
        let mut values = Values::default();
        assert_eq!(values.number(&[]), 0);
        assert_eq!(values.number(&[0, 0]), 0);
        assert_eq!(values.number(&[7]), 1);
        assert_eq!(values.number(&[7, 0, 0]), 1);
        assert_eq!(values.number(&[7, 0, 1]), 2);
        assert_eq!(values.number(&[7, 0]), 1);
        assert_eq!(values.value(1), [7, 0, 0]);
    }
}
