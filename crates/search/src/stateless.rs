//! Depth-first search that remembers only the states of its path.
//!
//! Follows: [003, Fig. 8.5].
//!
//! Departs:
//! - The departures of [`crate::dfs()`] hold here too.
//! - The error check of the figure that lowers the bound is in [`crate::shortening()`].
//! - A table finds the states of the path, so that `In_Stack` does not walk along the stack.
//!
//! Every path without a repeated state is followed to its end. So the search visits every
//! reachable state and ends if there are finitely many, but a state counts as stored each
//! time it is entered, and there may be exponentially many such times.

use space::NextState;
use store::Key;

use crate::accounting::Accounting;
use crate::depth_first::{DepthFirst, Policy, Visit};
use crate::findings::Keep;
use crate::{Outcome, SearchConfig};

/// Search all executions of a model depth first for safety violations, in no more memory than
/// the longest path takes.
pub fn stateless<M: NextState>(model: &mut M, config: &SearchConfig<'_>) -> Outcome {
    let accounting = Accounting::new(config, model.transition_count(), Keep::First);
    DepthFirst::new(model, OnPath::default(), accounting).run()
}

/// A state of the path.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    /// Where its bytes begin.
    start: usize,
    /// The entry before it in the same bucket, plus 1; 0 if there is none.
    below: u32,
}

/// The states of the path, to be found by their bytes. Enter what is not among them.
///
/// Invariant: a bucket holds the number of its youngest entry, plus 1. Entries come and go as
/// on a stack, so the youngest of all is the head of its bucket.
#[derive(Debug, Default)]
struct OnPath {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    buckets: Vec<u32>,
}

impl OnPath {
    fn bytes_of(&self, number: usize) -> &[u8] {
        let end = self.entries.get(number + 1);
        let end = end.map_or(self.bytes.len(), |next| next.start);
        &self.bytes[self.entries[number].start..end]
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.buckets.len() - 1)
    }

    /// Make twice as many buckets.
    #[cold]
    fn grow(&mut self) {
        self.buckets.clear();
        self.buckets
            .resize((self.entries.len() * 2).max(64).next_power_of_two(), 0);
        for number in 0..self.entries.len() {
            let bucket = self.bucket(self.entries[number].hash);
            self.entries[number].below = self.buckets[bucket];
            self.buckets[bucket] = number as u32 + 1;
        }
    }
}

impl Policy for OnPath {
    const EXACT: bool = true;
    const STAYS_KNOWN: bool = false;
    const UP_TO_BOUND: bool = false;

    fn focus(&mut self, _state: &[u8]) {}

    /// The key is a hash.
    fn prepare(&mut self, state: &[u8]) -> Key {
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        let hash = state.iter().fold(0xcbf2_9ce4_8422_2325, mix);
        Key::new(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn is_known(&self, state: &[u8], key: Key) -> bool {
        if self.buckets.is_empty() {
            return false;
        }
        let mut next = self.buckets[self.bucket(key.bits)];
        while let Some(number) = next.checked_sub(1) {
            let entry = &self.entries[number as usize];
            if entry.hash == key.bits && self.bytes_of(number as usize) == state {
                return true;
            }
            next = entry.below;
        }
        false
    }

    fn visit(&mut self, state: &[u8], key: Key, _level: u64) -> Visit {
        if self.is_known(state, key) {
            return Visit::Known;
        }
        if self.entries.len() >= self.buckets.len() {
            self.grow();
        }
        let bucket = self.bucket(key.bits);
        self.entries.push(Entry {
            hash: key.bits,
            start: self.bytes.len(),
            below: self.buckets[bucket],
        });
        self.bytes.extend_from_slice(state);
        self.buckets[bucket] = self.entries.len() as u32;
        Visit::New
    }

    fn leave(&mut self) {
        if let Some(entry) = self.entries.pop() {
            let bucket = self.bucket(entry.hash);
            self.buckets[bucket] = entry.below;
            self.bytes.truncate(entry.start);
        }
    }

    fn memory_bytes(&self) -> usize {
        self.bytes.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.buckets.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use space::Control;

    use super::*;
    use crate::dfs::tests::ALL_ERRORS;
    use crate::graph::{Edge, Graph, random_graph};
    use crate::oracle;

    /// Count the states entered and matched by a recursion over node numbers.
    fn twin(graph: &Graph, node: usize, control: Control, path: &mut Vec<usize>) -> (u64, u64) {
        assert!(path.len() <= graph.nodes.len());
        let free = control == Control::Free;
        if free && path.contains(&node) {
            return (0, 1);
        }
        path.extend(free.then_some(node));
        let (mut entered, mut matched) = (u64::from(free), 0);
        let mut moved = false;
        for edge in graph.edges(node, control) {
            let (to, control) = match edge {
                Edge::To(to, control) | Edge::Handshake(_, to, control) => (to, control),
                Edge::Assert(to) => (to, Control::Free),
                Edge::Offer | Edge::Fault => continue,
            };
            moved = true;
            let (more, again) = twin(graph, to, control, path);
            entered += more;
            matched += again;
        }
        if !moved && !free {
            let (more, again) = twin(graph, node, Control::Free, path);
            entered += more;
            matched += again;
        }
        if free {
            path.pop();
        }
        (entered, matched)
    }

    #[test]
    fn all_paths_are_followed() {
        for rng_seed in 0..1000 {
            let mut graph = random_graph(rng_seed);
            if graph.nodes.len() > 8 {
                // Too many paths.
                continue;
            }
            let (entered, matched) = twin(&graph, 0, Control::Free, &mut Vec::new());
            let context = format!("rng_seed {rng_seed}: {graph:?}");
            let outcome = stateless(&mut graph, &ALL_ERRORS);
            let statistics = (outcome.statistics.stored, outcome.statistics.matched);
            assert_eq!(statistics, (entered, matched), "{context}");
            assert!(outcome.exhaustive().is_some());
            let found: BTreeSet<_> = (outcome.findings().iter())
                .map(|finding| finding.violation.kind)
                .collect();
            let layers = oracle::layers(&graph);
            assert!(found.iter().eq(layers.kinds.keys()), "{context}");
            for finding in outcome.findings() {
                oracle::follow(&graph, finding);
            }
        }
    }

    #[test]
    fn a_long_path_is_one_path() {
        let line: Vec<Vec<usize>> = (1..=3000).map(|n| vec![n % 3000]).collect();
        let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
        let outcome = stateless(&mut Graph::free(&line), &ALL_ERRORS);
        assert_eq!(
            (outcome.statistics.stored, outcome.statistics.matched),
            (3000, 1)
        );
    }
}
