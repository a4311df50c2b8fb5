//! The states on the path of a depth-first search.

/// The least number of places.
const FEWEST: usize = 1 << 10;

/// A map from states, by numbers that tell them apart, to where they are on the path. They leave
/// it in the opposite order of that in which they came. A number may be there several times.
///
/// The states are entered into the table when somebody asks, since where nothing can be reduced,
/// nobody does. The places are probed one after the other. Since the state that leaves is the one
/// that came last, its place can be emptied: no other one was put off because of it.
#[derive(Debug)]
pub(crate) struct PathSet {
    /// The numbers of the states, never 0, and where they are on the path, as they came.
    states: Vec<(u64, u64)>,
    /// The table: numbers and where they are on the path; 0 in empty places. At most half of them
    /// are taken.
    places: Vec<(u64, u64)>,
    /// Where the states lie that were entered, in the order in which they came.
    order: Vec<u32>,
    /// So many of these have not left since.
    lasting: usize,
}

impl Default for PathSet {
    fn default() -> PathSet {
        PathSet {
            states: Vec::new(),
            places: vec![(0, 0); FEWEST],
            order: Vec::new(),
            lasting: 0,
        }
    }
}

impl PathSet {
    /// Add a state that is at this node of the path.
    #[inline]
    pub(crate) fn push(&mut self, state: u64, node: u64) {
        self.states.push((state.max(1), node));
    }

    /// Remove the state that came last.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.states.pop();
        self.lasting = self.lasting.min(self.states.len());
    }

    /// The node of a state, if it is there.
    #[inline]
    pub(crate) fn find(&mut self, state: u64) -> Option<u64> {
        self.catch_up();
        let (mut place, state) = (self.home(state.max(1)), state.max(1));
        while self.places[place].0 != 0 {
            if self.places[place].0 == state {
                return Some(self.places[place].1);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        None
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        (self.states.capacity() + self.places.capacity()) * size_of::<(u64, u64)>()
            + self.order.capacity() * size_of::<u32>()
    }

    /// Take those out of the table who have left, and enter those who came.
    #[inline]
    fn catch_up(&mut self) {
        for place in self.order.drain(self.lasting..).rev() {
            self.places[place as usize].0 = 0;
        }
        for came in self.lasting..self.states.len() {
            if 2 * self.order.len() >= self.places.len() {
                self.grow();
            }
            self.enter(self.states[came]);
        }
        self.lasting = self.states.len();
    }

    #[inline]
    fn enter(&mut self, entry: (u64, u64)) {
        let mut place = self.home(entry.0);
        while self.places[place].0 != 0 {
            place = (place + 1) & (self.places.len() - 1);
        }
        self.places[place] = entry;
        self.order.push(place as u32);
    }

    /// The numbers may be near each other.
    #[inline]
    fn home(&self, state: u64) -> usize {
        let mixed = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.places.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![(0, 0); 2 * self.places.len()];
        for at in 0..std::mem::take(&mut self.order).len() {
            self.enter(self.states[at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn states_leave_in_the_opposite_order() {
        let mut set = PathSet::default();
        let mut states: Vec<u64> = Vec::new();
        let mut numbers = Numbers::new(7);
        for round in 0..50_000 {
            // Many are there twice, and many share a home.
            let state = (numbers.below(3_000) as u64 + 1) << 32;
            let node = set.find(state);
            match node {
                None => assert!(!states.contains(&state), "{round}"),
                Some(node) => assert_eq!(states[node as usize], state, "{round}"),
            }
            if numbers.below(1_000) < 520 {
                set.push(state, states.len() as u64);
                states.push(state);
            } else {
                set.pop();
                states.pop();
            }
        }
        assert!(states.len() > FEWEST / 2, "it never grew");
    }
}
