//! The difference of two state vectors, as runs of bytes.
//!
//! Neighbours on a path differ in few bytes. A delta says how to turn one vector into the
//! other: mostly one byte that says where and how long, and the bytes.
//!
//! | first byte | what follows |
//! | --- | --- |
//! | skip × 4 + length − 1, for skips below 63 and lengths up to 4 | the bytes |
//! | `LONG` | skip, length, the bytes |
//! | `RESIZE` | the length of the target; at the front, if lengths differ |

use crate::varint;

/// A run with numbers that do not fit into one byte.
const LONG: u8 = 0xfc;
/// The target has another length.
const RESIZE: u8 = 0xfd;
/// Skips from here on need a `LONG` run.
const SKIP_END: usize = 63;
/// Runs this long need no `LONG` run.
const SHORT: usize = 4;
/// Equal bytes between two runs that are cheaper to repeat than to skip.
const GAP: usize = 1;

/// Append to `out` how to turn `from` into `to`.
#[inline]
pub(crate) fn encode(from: &[u8], to: &[u8], out: &mut Vec<u8>) {
    if from.len() != to.len() {
        out.push(RESIZE);
        varint::push(out, to.len() as u64);
    }
    let mut done = 0;
    let mut start = difference(from, to, 0);
    while start < to.len() {
        let mut end = start + 1;
        let mut next = difference(from, to, end);
        while next < to.len() && next - end <= GAP {
            end = next + 1;
            next = difference(from, to, end);
        }
        push_run(start - done, &to[start..end], out);
        done = end;
        start = next;
    }
}

#[inline]
fn push_run(skip: usize, bytes: &[u8], out: &mut Vec<u8>) {
    if skip < SKIP_END && bytes.len() <= SHORT {
        out.push((skip << 2 | (bytes.len() - 1)) as u8);
    } else {
        out.push(LONG);
        varint::push(out, skip as u64);
        varint::push(out, bytes.len() as u64);
    }
    out.extend_from_slice(bytes);
}

/// The first position from `start` on where `to` has another byte than `from`, or none.
/// The length of `to` if there is no such position.
#[inline]
fn difference(from: &[u8], to: &[u8], start: usize) -> usize {
    const WORD: usize = 8;
    let common = from.len().min(to.len());
    let mut at = start;
    while at + WORD <= common {
        let word = |bytes: &[u8]| {
            let mut word = [0; WORD];
            word.copy_from_slice(&bytes[at..at + WORD]);
            u64::from_le_bytes(word)
        };
        let changed = word(from) ^ word(to);
        if changed != 0 {
            return at + changed.trailing_zeros() as usize / 8;
        }
        at += WORD;
    }
    while at < common && from[at] == to[at] {
        at += 1;
    }
    if at < common {
        at
    } else {
        // Bytes that are only in `to` are all different.
        at.max(start).min(to.len())
    }
}

/// Turn `vector` from what [`encode`] got first into what it got second.
#[inline]
pub(crate) fn apply(mut delta: &[u8], vector: &mut Vec<u8>) {
    if let [RESIZE, rest @ ..] = delta {
        delta = rest;
        vector.resize(varint::take(&mut delta) as usize, 0);
    }
    let mut at = 0;
    while let Some((&head, rest)) = delta.split_first() {
        delta = rest;
        let (skip, len) = if head < LONG {
            ((head >> 2) as usize, (head & 3) as usize + 1)
        } else {
            let skip = varint::take(&mut delta) as usize;
            (skip, varint::take(&mut delta) as usize)
        };
        let (bytes, rest) = delta.split_at(len);
        delta = rest;
        at += skip;
        for (to, from) in vector[at..at + len].iter_mut().zip(bytes) {
            *to = *from;
        }
        at += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    fn check(from: &[u8], to: &[u8]) -> usize {
        let mut delta = Vec::new();
        encode(from, to, &mut delta);
        let mut vector = from.to_vec();
        apply(&delta, &mut vector);
        assert_eq!(vector, to, "{from:?} {delta:?}");
        delta.len()
    }

    #[test]
    fn few_bytes_for_few_changes() {
        let mut vector = vec![7; 300];
        assert_eq!(check(&vector.clone(), &vector), 0);
        vector[20] = 1;
        assert_eq!(check(&[7; 300], &vector), 2);
        vector[22] = 1;
        assert_eq!(check(&[7; 300], &vector), 4);
        vector[290] = 1;
        assert_eq!(check(&[7; 300], &vector), 4 + 5);
        assert_eq!(check(b"abc", b""), 2);
        assert_eq!(check(b"", b"abc"), 2 + 1 + 3);
    }

    #[test]
    fn random_vectors_come_back() {
        let mut numbers = Numbers::new(1);
        for _ in 0..20_000 {
            let len = numbers.below(200);
            let from: Vec<u8> = (0..len).map(|_| numbers.below(3) as u8).collect();
            let mut to = from.clone();
            if numbers.below(2) == 0 {
                to.resize(numbers.below(200), numbers.below(3) as u8);
            }
            let most = 1 << numbers.below(8);
            let changes = numbers.below(most);
            for _ in 0..changes.min(to.len() * 8) {
                let at = numbers.below(to.len());
                to[at] = numbers.below(3) as u8;
            }
            check(&from, &to);
        }
    }
}
