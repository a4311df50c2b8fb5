//! Representatives of packed states, for searches under symmetry.
//!
//! Follows: [001 ch. 6, Fig. 3]: a search goes on from the states that it comes to, and only the store
//! sees representatives. So paths are executions in the names of the model.
//!
//! Departs: a state is unpacked, its processes are permuted, and the result is packed. Since most
//! successors come up again soon, from other states, some representatives are kept.

use relation::{Digest, State, Stop, System, Words};
use space::Representative;

/// Representatives that are kept, a power of two.
const KEPT: usize = 1 << 14;

/// Finds representatives.
pub(super) struct Orbits<'a, const W: usize, D> {
    orbits: Box<dyn Representative + 'a>,
    /// States and their representatives, each where the hash of its words says.
    kept: Vec<(Words<W>, State<W, D>)>,
    vector: Vec<u8>,
    hidden_len: usize,
}

impl<'a, const W: usize, D: Digest> Orbits<'a, W, D> {
    pub(super) fn new(orbits: Box<dyn Representative + 'a>, hidden_len: usize) -> Orbits<'a, W, D> {
        Orbits {
            orbits,
            // No state is made of zeros.
            kept: vec![([0; W], State::default()); KEPT],
            vector: Vec::new(),
            hidden_len,
        }
    }

    /// The same for another layout.
    pub(super) fn widened<const V: usize>(self) -> Orbits<'a, V, D> {
        Orbits::new(self.orbits, self.hidden_len)
    }

    /// The representative of a state, without what does not distinguish states.
    pub(super) fn represent(
        &mut self,
        system: &mut System<'_, W, D>,
        state: &State<W, D>,
    ) -> Result<State<W, D>, Stop> {
        let at = place(&state.words);
        if self.kept[at].0 == state.words {
            return Ok(self.kept[at].1);
        }
        self.vector.clear();
        self.vector.extend_from_slice(system.unpack(state));
        self.orbits.represent(&mut self.vector[self.hidden_len..]);
        let found = system.pack_near(state, &self.vector)?;
        let representative = State {
            words: system.relation().visible(&found.words),
            digest: found.digest,
        };
        self.kept[at] = (state.words, representative);
        Ok(representative)
    }
}

/// Where the representative of a state is kept.
fn place<const W: usize>(words: &Words<W>) -> usize {
    let mixed = words.iter().fold(0_u64, |all, word| {
        (all.rotate_left(7) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    (mixed >> 32) as usize % KEPT
}
