//! The states on the path of a depth-first search, by their keys.

/// The least number of places.
const FEWEST: usize = 1 << 10;

/// A set of keys that leave it in the opposite order of that in which they came. A key may be
/// there several times.
///
/// The places are probed one after the other. Since the key that leaves is the one that came
/// last, its place can be emptied: no other key was put off because of it.
#[derive(Debug)]
pub(crate) struct PathSet {
    /// Keys, never 0; 0 in empty places. At most half of them are taken.
    places: Vec<u64>,
    /// Where the keys lie, in the order in which they came.
    order: Vec<u32>,
}

impl Default for PathSet {
    fn default() -> PathSet {
        PathSet {
            places: vec![0; FEWEST],
            order: Vec::new(),
        }
    }
}

impl PathSet {
    /// Add a key.
    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        if 2 * self.order.len() >= self.places.len() {
            self.grow();
        }
        let place = self.first_empty(key.max(1));
        self.places[place] = key.max(1);
        self.order.push(place as u32);
    }

    /// Remove the key that came last.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(place) = self.order.pop() {
            self.places[place as usize] = 0;
        }
    }

    /// Whether a key is there.
    #[inline]
    pub(crate) fn has(&self, key: u64) -> bool {
        let (mut place, key) = (self.home(key.max(1)), key.max(1));
        while self.places[place] != 0 {
            if self.places[place] == key {
                return true;
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        false
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<u64>() + self.order.capacity() * size_of::<u32>()
    }

    /// Keys are hashes mostly, but not always.
    #[inline]
    fn home(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    #[inline]
    fn first_empty(&self, key: u64) -> usize {
        let mut place = self.home(key);
        while self.places[place] != 0 {
            place = (place + 1) & (self.places.len() - 1);
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        let doubled = vec![0; 2 * self.places.len()];
        let old = std::mem::replace(&mut self.places, doubled);
        for at in 0..self.order.len() {
            let key = old[self.order[at] as usize];
            let place = self.first_empty(key);
            self.places[place] = key;
            self.order[at] = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn keys_leave_in_the_opposite_order() {
        let mut set = PathSet::default();
        let mut keys: Vec<u64> = Vec::new();
        let mut numbers = Numbers::new(7);
        for round in 0..50_000 {
            // Many keys are there twice, and many share a home.
            let key = (numbers.below(3_000) as u64) << 32;
            assert_eq!(set.has(key), keys.contains(&key), "{round}");
            if numbers.below(1_000) < 520 {
                set.push(key);
                keys.push(key);
            } else {
                set.pop();
                keys.pop();
            }
        }
        assert!(keys.len() > FEWEST / 2, "it never grew");
    }
}
