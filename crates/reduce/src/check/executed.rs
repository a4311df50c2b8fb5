//! States and moves, executed one by one and remembered.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use model::{Action, ExprId, Interp, Model, Sight};
use space::{Control, Expansion, NextState, Pid, PidSet, Row, Step, Violation};

/// An atomic sequence with more nodes is not followed to its end.
const LONGEST: usize = 10_000;

/// A state that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Node(pub(super) usize);

/// A step out of a state, with the atomic sequence that it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// Who moves.
    pub(super) pid: Pid,
    /// The step; none where nobody gets as far as a step.
    pub(super) step: Option<Step>,
    /// The states that it leads to, in order, each once.
    pub(super) ends: Vec<Node>,
    /// What it violates on its way, in order, each once.
    pub(super) violations: Vec<Violation>,
}

impl Move {
    /// Who else moves.
    pub(super) fn partner(&self) -> Option<Pid> {
        self.step?.partner.map(|(pid, _)| pid)
    }
}

/// More than was asked for would have to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

/// The part of the state space that was looked at.
pub(super) struct Space<'m> {
    pub(super) model: &'m Model,
    pub(super) interp: Interp<'m>,
    most: usize,
    found: Expansion,
    states: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, Node>,
    moves: Vec<Option<Rc<[Move]>>>,
}

impl<'m> Space<'m> {
    /// Nothing yet, and not more than so many states.
    pub(super) fn new(model: &'m Model, most: usize) -> Space<'m> {
        Space {
            model,
            interp: Interp::new(model),
            most,
            found: Expansion::default(),
            states: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
        }
    }

    /// The initial state, if there is one.
    pub(super) fn initial(&mut self) -> Option<Node> {
        let vector = self.interp.initial().ok()?;
        Some(self.number(&vector))
    }

    /// The vector of a state.
    pub(super) fn state(&self, node: Node) -> &[u8] {
        &self.states[node.0]
    }

    /// All steps out of a state, as they come.
    pub(super) fn rows(&mut self, node: Node) -> &[Row] {
        (self.interp).expand(&self.states[node.0], Control::Free, &mut self.found);
        &self.found.rows
    }

    /// All moves out of a state.
    pub(super) fn moves(&mut self, node: Node) -> Result<Rc<[Move]>, TooMuch> {
        if let Some(moves) = &self.moves[node.0] {
            return Ok(moves.clone());
        }
        if self.states.len() > self.most {
            return Err(TooMuch);
        }
        let mut found = Expansion::default();
        (self.interp).expand(&self.states[node.0], Control::Free, &mut found);
        let mut moves = Vec::new();
        for (number, row) in found.rows.iter().enumerate() {
            if !row.has(Row::OFFER) {
                moves.push(self.follow(&found, number, row)?);
            }
        }
        let moves: Rc<[Move]> = moves.into();
        self.moves[node.0] = Some(moves.clone());
        Ok(moves)
    }

    /// The processes with a part in a move out of a state.
    pub(super) fn mobile(&mut self, node: Node) -> Result<PidSet, TooMuch> {
        let mut mobile = PidSet::EMPTY;
        for found in &*self.moves(node)? {
            mobile.insert(found.pid);
            found
                .partner()
                .into_iter()
                .for_each(|pid| mobile.insert(pid));
        }
        Ok(mobile)
    }

    /// Which of some expressions are true in a state, where they have a value.
    pub(super) fn values(&mut self, node: Node, atoms: &[ExprId]) -> Vec<Option<bool>> {
        let state = &self.states[node.0];
        self.interp.load(state);
        let value = |&atom: &ExprId| {
            let value = self.interp.observe_value(state, Sight::default(), atom);
            value.ok().map(|value| value != 0)
        };
        atoms.iter().map(value).collect()
    }

    /// Whether a move is nothing but the end of a process.
    pub(super) fn is_end(&self, found: &Move) -> bool {
        let transition = |step: Step| self.model.transition(step.transition);
        (found.step).is_some_and(|step| transition(step).action == Action::End)
    }

    /// The state with a vector.
    pub(super) fn number(&mut self, vector: &[u8]) -> Node {
        if let Some(node) = self.numbers.get(vector) {
            return *node;
        }
        let node = Node(self.states.len());
        self.states.push(vector.to_vec());
        self.numbers.insert(vector.to_vec(), node);
        self.moves.push(None);
        node
    }

    /// Follow the step of a row until others may move.
    fn follow(&mut self, found: &Expansion, number: usize, row: &Row) -> Result<Move, TooMuch> {
        let mut made = Move {
            pid: Pid(row.pid),
            step: row.step(),
            ends: Vec::new(),
            violations: found.violations_of(number).collect(),
        };
        let mut seen = HashSet::new();
        let mut open = Vec::new();
        if row.has_successor() {
            open.push((found.vector(row).to_vec(), row.control()));
        }
        let mut inner = Expansion::default();
        while let Some((vector, control)) = open.pop() {
            if control == Control::Free {
                made.ends.push(self.number(&vector));
                continue;
            }
            if seen.len() > LONGEST {
                return Err(TooMuch);
            }
            self.interp.expand(&vector, control, &mut inner);
            made.violations
                .extend(inner.violations.iter().map(|(_, violation)| *violation));
            if !inner.moved {
                // Control is lost.
                open.push((vector, Control::Free));
                continue;
            }
            if seen.insert((vector, control)) {
                let rows = inner.rows.iter().filter(|row| row.has_successor());
                open.extend(rows.map(|row| (inner.vector(row).to_vec(), row.control())));
            }
        }
        made.ends.sort_unstable();
        made.ends.dedup();
        made.violations.sort_by_key(|violation| {
            let site = violation.site.map(|site| site.0);
            (violation.kind, site)
        });
        made.violations.dedup();
        Ok(made)
    }
}
