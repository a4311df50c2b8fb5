//! The states on the path of a depth-first search.

/// The least number of places.
const FEWEST: usize = 1 << 10;

/// A key that identifies a state.
pub(crate) trait PathKey: Copy + PartialEq {
    /// What no state has.
    const NONE: Self;

    /// A number in whose upper half they differ, too.
    fn spread(self) -> u64;
}

/// Numbers may be near each other.
impl PathKey for u64 {
    const NONE: u64 = 0;

    #[inline]
    fn spread(self) -> u64 {
        self.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl<const W: usize> PathKey for [u64; W] {
    const NONE: [u64; W] = [0; W];

    #[inline]
    fn spread(self) -> u64 {
        self.iter().fold(0, |mixed: u64, word| {
            let mixed = (mixed ^ word).spread();
            mixed ^ mixed >> 32
        })
    }
}

/// A map from states, by their keys, to where they are on the path. They leave
/// it in the opposite order of that in which they came. A state may be there several times.
///
/// The states are entered into the table when somebody asks, since where nothing can be reduced,
/// nobody does. The places are probed one after the other. Since the state that leaves is the one
/// that came last, its place can be emptied: no other one was put off because of it.
#[derive(Debug)]
pub(crate) struct PathSet<K> {
    /// The states, never [`PathKey::NONE`], as they came.
    states: Vec<K>,
    /// The table: states and their numbers on the path. At most half of the places are taken.
    places: Vec<(K, usize)>,
    /// Where the states lie that were entered, in the order in which they came.
    order: Vec<u32>,
    /// So many of these have not left since.
    valid: usize,
}

impl<K: PathKey> Default for PathSet<K> {
    fn default() -> PathSet<K> {
        PathSet {
            states: Vec::new(),
            places: vec![(K::NONE, 0); FEWEST],
            order: Vec::new(),
            valid: 0,
        }
    }
}

impl<K: PathKey> PathSet<K> {
    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Add a state.
    #[inline]
    pub(crate) fn push(&mut self, state: K) {
        self.states.push(state);
    }

    /// Remove the state that came last.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.states.pop();
        self.valid = self.valid.min(self.states.len());
    }

    /// The number of a state, counted from the first one on the path, if it is there.
    #[inline]
    pub(crate) fn find(&mut self, state: K) -> Option<usize> {
        self.catch_up();
        let mut place = self.home(state);
        while self.places[place].0 != K::NONE {
            if self.places[place].0 == state {
                return Some(self.places[place].1);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        None
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.states.capacity() * size_of::<K>()
            + self.places.capacity() * size_of::<(K, usize)>()
            + self.order.capacity() * size_of::<u32>()
    }

    /// Take those out of the table who have left, and enter those who came.
    #[inline]
    fn catch_up(&mut self) {
        for place in self.order.drain(self.valid..).rev() {
            self.places[place as usize].0 = K::NONE;
        }
        for came in self.valid..self.states.len() {
            if 2 * self.order.len() >= self.places.len() {
                self.grow();
            }
            self.enter(came);
        }
        self.valid = self.states.len();
    }

    #[inline]
    fn enter(&mut self, number: usize) {
        let state = self.states[number];
        let mut place = self.home(state);
        while self.places[place].0 != K::NONE {
            place = (place + 1) & (self.places.len() - 1);
        }
        self.places[place] = (state, number);
        self.order.push(place as u32);
    }

    #[inline]
    fn home(&self, state: K) -> usize {
        (state.spread() >> 32) as usize & (self.places.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![(K::NONE, 0); 2 * self.places.len()];
        for number in 0..std::mem::take(&mut self.order).len() {
            self.enter(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn states_leave_in_the_opposite_order() {
        check(|number| number);
        check(|number| [3, 0, number, 7]);
    }

    fn check<K: PathKey>(key: impl Fn(u64) -> K) {
        let mut set = PathSet::default();
        let mut states: Vec<u64> = Vec::new();
        let mut numbers = Numbers::new(7);
        for round in 0..50_000 {
            // Many are there twice, and many share a home.
            let state = (numbers.below(3_000) as u64 + 1) << 32;
            match set.find(key(state)) {
                None => assert!(!states.contains(&state), "{round}"),
                Some(number) => assert_eq!(states[number], state, "{round}"),
            }
            if numbers.below(1_000) < 520 {
                set.push(key(state));
                states.push(state);
            } else {
                set.pop();
                states.pop();
            }
        }
        assert!(states.len() > FEWEST / 2, "it never grew");
        assert_eq!(set.len(), states.len());
    }
}
