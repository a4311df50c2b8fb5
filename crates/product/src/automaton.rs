//! Claims given as automata over expressions of the model.
//!
//! Each expression is evaluated once for a state of the model. An edge asks for some of them
//! to be true and others to be false, which is a comparison of bits.

use model::{Expr, ExprId, Interp, Model, Sight};
use space::{Violation, ViolationKind};

use crate::{Claim, ClaimMove, Moves};

/// An edge of an [`Automaton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The atoms that must be true, as bits.
    pub positive: u64,
    /// The atoms that must be false, as bits.
    pub negative: u64,
    /// Where it leads.
    pub target: u32,
    /// The acceptance sets it belongs to, as bits.
    pub sets: u32,
}

/// A state of an [`Automaton`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The ways out.
    pub edges: Vec<Edge>,
}

/// A Büchi automaton whose edges speak of at most 64 atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// Its states.
    pub states: Vec<State>,
    /// The first one.
    pub initial: u32,
    /// The number of acceptance sets; edges say which they belong to.
    pub sets: u32,
    /// Expressions of the model, by the numbers of the bits.
    pub atoms: Vec<ExprId>,
    /// What a cycle that it accepts is reported as.
    pub cycle_kind: ViolationKind,
}

impl Automaton {
    /// The number of the first edge of each state.
    fn first_edges(&self) -> Vec<u32> {
        let mut first = 0;
        (self.states.iter())
            .map(|state| {
                let own = first;
                first += state.edges.len() as u32;
                own
            })
            .collect()
    }

    /// Whether the edges out of each state belong to the same sets.
    fn accepts_on_states(&self) -> bool {
        self.states.iter().all(|state| {
            let mut sets = state.edges.iter().map(|edge| edge.sets);
            let first = sets.next();
            sets.all(|other| Some(other) == first)
        })
    }

    /// The state and edge with a number.
    pub fn edge(&self, number: u32) -> Option<(usize, &Edge)> {
        let mut rest = number as usize;
        for (row, state) in self.states.iter().enumerate() {
            match state.edges.get(rest) {
                Some(edge) => return Some((row, edge)),
                None => rest -= state.edges.len(),
            }
        }
        None
    }
}

/// An automaton beside a model.
pub struct AutomatonClaim<'m> {
    interp: Interp<'m>,
    automaton: &'m Automaton,
    first_edges: Vec<u32>,
    on_states: bool,
    sees_timeout: bool,
}

impl<'m> AutomatonClaim<'m> {
    /// An automaton over expressions of this model.
    pub fn new(model: &'m Model, automaton: &'m Automaton) -> AutomatonClaim<'m> {
        AutomatonClaim {
            first_edges: automaton.first_edges(),
            on_states: automaton.accepts_on_states(),
            sees_timeout: (automaton.atoms.iter())
                .any(|atom| model.any_part(*atom, |part| *part == Expr::Timeout)),
            interp: Interp::new(model),
            automaton,
        }
    }

    /// The atoms that are true, as bits. The first one that cannot be evaluated ends it.
    fn evaluate(&mut self, vector: &[u8], sight: Sight) -> Result<u64, Violation> {
        if self.automaton.atoms.is_empty() {
            return Ok(0);
        }
        self.interp.load(vector);
        let mut bits = 0;
        for (row, atom) in self.automaton.atoms.iter().enumerate() {
            let value = self.interp.observe_value(vector, sight, *atom)?;
            bits |= u64::from(value != 0) << row;
        }
        Ok(bits)
    }
}

impl Claim for AutomatonClaim<'_> {
    fn state_count(&self) -> u32 {
        self.automaton.states.len() as u32
    }

    fn initial(&self) -> u32 {
        self.automaton.initial
    }

    fn sets(&self) -> u32 {
        self.automaton.sets
    }

    fn on_states(&self) -> bool {
        self.on_states
    }

    fn cycle_kind(&self) -> ViolationKind {
        self.automaton.cycle_kind
    }

    fn sees_timeout(&self) -> bool {
        self.sees_timeout
    }

    fn waits_for_timeout(&mut self, vector: &[u8]) -> bool {
        self.interp.waits_for_timeout(vector)
    }

    fn moves(&mut self, state: u32, vector: &[u8], sight: Sight, moves: &mut Moves) {
        let (values, fault) = match self.evaluate(vector, sight) {
            Ok(values) => (values, None),
            Err(fault) => (0, Some(fault)),
        };
        let first = self.first_edges[state as usize];
        let edges = &self.automaton.states[state as usize].edges;
        for (number, edge) in edges.iter().enumerate() {
            let fits = values & edge.positive == edge.positive && values & edge.negative == 0;
            if fits || fault.is_some() {
                moves.list.push(ClaimMove {
                    target: edge.target,
                    edge: first + number as u32,
                    sets: edge.sets,
                    violation: fault,
                });
            }
        }
    }
}
