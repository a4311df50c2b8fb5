//! Generalised Büchi automata with conditions and marks on their edges.

use std::fmt;

/// A conjunction of literals: these atoms hold, those do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cube {
    /// The atoms that must hold, one bit each.
    pub positive: u64,
    /// The atoms that must not hold.
    pub negative: u64,
}

impl Cube {
    /// The empty conjunction.
    pub const ALL: Cube = Cube {
        positive: 0,
        negative: 0,
    };

    /// True if the cube holds when bit `i` of `values` is the value of atom `i`.
    #[inline]
    pub fn admits(self, values: u64) -> bool {
        (self.positive & !values) | (self.negative & values) == 0
    }

    /// The cube with one literal more.
    pub(crate) fn with(mut self, atom: u32, holds: bool) -> Cube {
        let bit = 1 << atom;
        if holds {
            self.positive |= bit;
        } else {
            self.negative |= bit;
        }
        self
    }
}

/// When an edge can be taken: one of the cubes holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Condition {
    /// The disjuncts. None of them can be left out.
    pub cubes: Vec<Cube>,
}

impl Condition {
    /// True if the condition holds when bit `i` of `values` is the value of atom `i`.
    #[inline]
    pub fn admits(&self, values: u64) -> bool {
        self.cubes.iter().any(|cube| cube.admits(values))
    }

    /// True if the condition holds always.
    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::ALL)
    }
}

/// The number of a state of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateIx(pub u32);

impl StateIx {
    /// The place of the state in [`Automaton::states`].
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for StateIx {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// One way to go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// When it can be taken.
    pub condition: Condition,
    /// The acceptance sets it belongs to, one bit each.
    pub marks: u32,
    /// Where it leads.
    pub target: StateIx,
}

/// The edges out of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// In no particular order. Several may be enabled at once.
    pub edges: Vec<Edge>,
}

/// What kind of acceptance an automaton needs; a search may use it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Every accepting component is left never again and admits every continuation: a path that
    /// gets there is a counterexample already, and reachability decides.
    Terminal,
    /// In every component all cycles are accepting, or none is: one depth-first search decides.
    Weak,
    /// Anything else.
    General,
}

/// A generalised Büchi automaton.
///
/// It accepts an infinite word of valuations if some run on the word, from the initial state,
/// takes edges of each acceptance set infinitely often. Without sets every infinite run accepts.
///
/// Every state lies on an accepting run, except the initial state of an automaton that accepts
/// nothing. State 0 need not be the initial one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// All states.
    pub states: Vec<State>,
    /// Where runs begin, before the first valuation is read.
    pub initial: StateIx,
    /// The number of acceptance sets, at most 32.
    pub sets: u32,
    /// One more than the largest number of an atom in the formula.
    pub atoms: usize,
    /// What kind of acceptance is needed.
    pub class: Class,
    /// All edges out of a state have the same marks, so that acceptance can be seen on states.
    pub on_states: bool,
}

impl Automaton {
    /// A mask with one bit for each acceptance set.
    pub fn all_marks(&self) -> u32 {
        all_marks(self.sets)
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// The edges that can be taken when bit `i` of `values` is the value of atom `i`.
    ///
    /// For millions of steps there is [`Steps`](crate::Steps).
    #[inline]
    pub fn enabled(&self, state: StateIx, values: u64) -> impl Iterator<Item = &Edge> {
        let edges = self.states[state.index()].edges.iter();
        edges.filter(move |edge| edge.condition.admits(values))
    }

    /// True if a run that stays at this state accepts; only where `on_states` is true.
    pub fn is_accepting(&self, state: StateIx) -> bool {
        debug_assert!(self.on_states);
        let all = self.all_marks();
        self.states[state.index()]
            .edges
            .first()
            .is_some_and(|edge| edge.marks == all)
    }

    /// True if at most one edge of each state is enabled under any valuation.
    pub fn is_deterministic(&self) -> bool {
        let meet = |left: &Cube, right: &Cube| {
            left.positive & right.negative == 0 && left.negative & right.positive == 0
        };
        self.states.iter().all(|state| {
            state.edges.iter().enumerate().all(|(at, left)| {
                state.edges[at + 1..].iter().all(|right| {
                    let cubes = &left.condition.cubes;
                    let mut others = right.condition.cubes.iter();
                    !others.any(|other| cubes.iter().any(|cube| meet(cube, other)))
                })
            })
        })
    }
}

/// A mask with one bit for each of `sets` acceptance sets.
pub(crate) fn all_marks(sets: u32) -> u32 {
    u32::MAX.checked_shr(32 - sets).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_marks() {
        assert_eq!(all_marks(0), 0);
        assert_eq!(all_marks(3), 7);
        assert_eq!(all_marks(32), u32::MAX);
    }
}
