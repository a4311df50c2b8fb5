//! Claims given as automata over expressions of the model.
//!
//! Each expression is evaluated once for a state of the model. An edge asks for some of them
//! to be true and others to be false, which is a comparison of bits.
//!
//! Where an automaton comes to a state that accepts whatever follows, the execution so far is
//! a violation, however it goes on: it is reported at once, without a cycle.

use ltl::{Automaton, Class, StateIx};
use model::{Condition, Expr, ExprId, Interp, Model, Sight, Touched};
use relation::Label;
use space::{Violation, ViolationKind};

use crate::{Claim, ClaimMove, Moves};

/// An automaton that watches a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    /// The automaton.
    pub automaton: Automaton,
    /// Expressions of the model, by the numbers of the atoms.
    pub atoms: Vec<ExprId>,
    /// What a cycle that it accepts is reported as.
    pub cycle_kind: ViolationKind,
}

impl Observer {
    /// Whether an automaton in this state accepts whatever follows.
    fn accepts_all(&self, state: StateIx) -> bool {
        let edges = self.automaton.states[state.index()].edges.iter();
        let all = self.automaton.all_marks();
        let mut loops = edges.filter(|edge| edge.target == state);
        loops.any(|edge| edge.marks == all && edge.condition.is_true())
    }
}

/// An automaton beside a model.
pub struct AutomatonClaim<'m> {
    interp: Interp<'m>,
    observer: &'m Observer,
    /// That the atoms are true.
    atoms: Vec<Condition>,
    /// Whether the interpreter is asked about atoms.
    asks: bool,
    /// By state: the number of its first edge.
    first_edges: Vec<u32>,
    /// By state: whatever follows is accepted.
    accepts_all: Vec<bool>,
    sees_timeout: bool,
    /// Whether it asks for nothing but progress labels.
    sees_progress: bool,
}

impl<'m> AutomatonClaim<'m> {
    /// An automaton over expressions of this model.
    pub fn new(model: &'m Model, observer: &'m Observer) -> AutomatonClaim<'m> {
        let states = &observer.automaton.states;
        let mut first = 0;
        let atoms = observer.atoms.iter();
        let atoms: Vec<Condition> = atoms.map(|atom| Condition::new(model, *atom)).collect();
        AutomatonClaim {
            asks: atoms.iter().any(Condition::asks),
            atoms,
            first_edges: (states.iter())
                .map(|state| {
                    let own = first;
                    first += state.edges.len() as u32;
                    own
                })
                .collect(),
            accepts_all: (0..states.len() as u32)
                .map(|state| observer.accepts_all(StateIx(state)))
                .collect(),
            sees_timeout: (observer.atoms.iter())
                .any(|atom| model.any_part(*atom, |part| *part == Expr::Timeout)),
            sees_progress: (observer.atoms.iter())
                .all(|atom| *model.expr(*atom) == Expr::NonProgress),
            interp: Interp::new(model),
            observer,
        }
    }

    /// The atoms that are true, as bits. The first one that cannot be evaluated ends it.
    fn evaluate(&mut self, vector: &[u8], sight: Sight) -> Result<u64, Violation> {
        if self.asks {
            self.interp.load(vector);
        }
        let mut bits = 0;
        for (row, atom) in self.atoms.iter().enumerate() {
            let holds = atom.holds(&self.interp, vector, sight)?;
            bits |= u64::from(holds) << row;
        }
        Ok(bits)
    }
}

impl Claim for AutomatonClaim<'_> {
    fn state_count(&self) -> u32 {
        self.observer.automaton.states.len() as u32
    }

    fn initial(&self) -> u32 {
        self.observer.automaton.initial.0
    }

    fn sets(&self) -> u32 {
        self.observer.automaton.sets
    }

    fn ended(&self, _: u32) -> Option<Violation> {
        None
    }

    fn on_states(&self) -> bool {
        self.observer.automaton.on_states
    }

    fn is_weak(&self) -> bool {
        self.observer.automaton.class != Class::General
    }

    fn cycle_kind(&self) -> ViolationKind {
        self.observer.cycle_kind
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
        let edges = &self.observer.automaton.states[state as usize].edges;
        for (number, edge) in edges.iter().enumerate() {
            if fault.is_none() && !edge.condition.admits(values) {
                continue;
            }
            let matched = self.accepts_all[edge.target.index()];
            moves.list.push(ClaimMove {
                target: edge.target.0,
                edge: first + number as u32,
                sets: edge.marks,
                violation: fault.or(matched.then(|| ViolationKind::Claim.into())),
            });
        }
    }
    fn label(&self) -> Option<Label> {
        self.sees_progress.then_some(Label::Progress)
    }

    fn record_touched(&mut self) {
        self.interp.record_touched();
    }

    fn touched(&mut self) -> Option<&mut Touched> {
        match self.sees_progress {
            true => None,
            false => self.interp.touched(),
        }
    }
}
