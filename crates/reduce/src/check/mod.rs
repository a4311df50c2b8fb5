//! Whether ample sets are what they have to be, by brute force; whether symmetries are, see `exchange`.
//!
//! Follows: the conditions C0 to C3 of the crate's documentation, one by one. The reduced state space
//! is executed again, with the sets that were taken, and in each state that leaves something out:
//!
//! - C0: somebody of the set can move;
//! - C1: nothing that the others may still do interferes with a step of the set, see `order`;
//! - C2: no step of the set changes what the property looks at, or, if executions are fair, no two
//!   steps change what the same part of it looks at;
//! - C3: nobody is put off for ever, see `delay`.
//!
//! Nothing here rests on [`model::dependency`]: steps are executed by the interpreter, in both orders.
//! That takes the full state space, so it is for small models.

mod delay;
mod exchange;
mod executed;
mod order;

use std::collections::HashMap;
use std::fmt::Write;

use model::Model;
use model::show;
use space::{Pid, PidSet};

use crate::{Reducer, Reduction};
use delay::Visited;
use executed::{Move, Node, Space, TooMuch};
use order::Orders;

pub use exchange::{Asymmetry, ExchangeAudit, check_exchanges};

/// The sets that a search took, by state.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    hidden_len: usize,
    sets: HashMap<Vec<u8>, PidSet>,
}

impl Taken {
    /// None yet, of states with so many hidden bytes.
    pub fn new(hidden_len: usize) -> Taken {
        Taken {
            hidden_len,
            sets: HashMap::new(),
        }
    }

    /// Out of this state only these processes move.
    pub fn record(&mut self, state: &[u8], set: PidSet) {
        self.sets.insert(state[self.hidden_len..].to_vec(), set);
    }

    fn find(&self, state: &[u8]) -> Option<PidSet> {
        self.sets.get(&state[self.hidden_len..]).copied()
    }
}

/// Who decided which sets were taken.
#[derive(Clone, Copy, Debug)]
pub enum Decided<'a> {
    /// A search, which sees to it that nobody waits for ever.
    BySearch(&'a Taken),
    /// [`crate::Pruned`], which looks at the state only.
    ByState,
}

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The states of the reduced state space.
    pub states: usize,
    /// Those of them that leave something out.
    pub reduced: usize,
    /// Whether there were no more.
    pub complete: bool,
}

/// The condition that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Somebody must move.
    C0,
    /// Nobody must interfere.
    C1,
    /// Nobody must see it.
    C2,
    /// Nobody must wait for ever.
    C3,
}

/// A set that should not have been taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// What is wrong.
    pub condition: Condition,
    /// The state where it shows.
    pub state: Vec<u8>,
    /// Who moves.
    pub set: PidSet,
    /// Who interferes, or waits; for C2 whose step is seen.
    pub other: Option<Pid>,
    /// With whom somebody interferes.
    pub member: Option<Pid>,
}

impl Breach {
    /// A sentence for people, and the state.
    pub fn describe(&self, model: &Model) -> String {
        let processes = show::processes(model, &self.state);
        let name = |pid: Pid| {
            let kind = processes.get(usize::from(pid.0)).map(|process| process.1);
            kind.map_or(format!("process {}", pid.0), |kind| {
                show::process_name(&model.proctypes[kind as usize], usize::from(pid.0))
            })
        };
        let set: Vec<String> = self.set.iter().map(name).collect();
        let other = self.other.map_or_else(String::new, name);
        let member = self.member.map_or_else(String::new, name);
        let what = match self.condition {
            Condition::C0 => "but none of them can".to_owned(),
            Condition::C1 => format!("but {other} interferes with {member}"),
            Condition::C2 => format!("but the property observes the step of {other}"),
            Condition::C3 => format!("and {other} is postponed indefinitely"),
        };
        let mut text = format!(
            "{:?}: only {} moves, {what}",
            self.condition,
            set.join(", ")
        );
        let items = show::items(model, &self.state);
        for (pid, _, control) in &processes {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {} at {}", name(Pid(*pid)), control.0);
        }
        for item in items {
            let _ = write!(text, "\n  {} = {}", item.name, item.value);
        }
        text
    }
}

/// Check the sets that were taken in a model, as far as no more than `most` states have to be
/// looked at.
pub fn check(
    model: &Model,
    reduction: &Reduction,
    decided: Decided<'_>,
    most: usize,
) -> Result<Audit, Box<Breach>> {
    let reducer = Reducer::new(model, reduction).ok();
    let pid_canonical =
        (reducer.as_ref()).and_then(|reducer| reducer.dependency.pid_canonical(model));
    let mut checker = Checker {
        space: Space::new(model, most),
        reduction,
        decided,
        reducer: reducer.filter(|_| matches!(decided, Decided::ByState)),
        orders: Orders::new(reduction, pid_canonical),
        visited: Vec::new(),
        complete: true,
    };
    checker.walk()?;
    checker.check_delay()?;
    Ok(Audit {
        states: checker.visited.len(),
        reduced: (checker.visited.iter())
            .filter(|visited| visited.set.is_some())
            .count(),
        complete: checker.complete,
    })
}

/// A check under way.
struct Checker<'a> {
    space: Space<'a>,
    reduction: &'a Reduction,
    decided: Decided<'a>,
    reducer: Option<Reducer<'a>>,
    orders: Orders,
    visited: Vec<Visited>,
    complete: bool,
}

impl Checker<'_> {
    /// Go through the reduced state space and look at each state on its own.
    fn walk(&mut self) -> Result<(), Box<Breach>> {
        let Some(initial) = self.space.initial() else {
            return Ok(());
        };
        let mut places = HashMap::from([(initial, 0)]);
        let mut nodes = vec![initial];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            let set = self.set_of(node);
            let Ok(moves) = self.space.moves(node) else {
                self.complete = false;
                return Ok(());
            };
            if let Some(set) = set {
                match self.check_state(node, set, &moves) {
                    Ok(checked) => checked?,
                    Err(TooMuch) => self.complete = false,
                }
            }
            let mut visited = Visited {
                node,
                set,
                mobile: PidSet::EMPTY,
                successors: Vec::new(),
            };
            for found in moves.iter() {
                if !self.orders.passes_over(&self.space, found) {
                    visited.mobile.insert(found.pid);
                }
                if set.is_some_and(|set| !set.has(found.pid)) {
                    continue;
                }
                for &end in &found.ends {
                    let place = *places.entry(end).or_insert(nodes.len());
                    if place == nodes.len() {
                        nodes.push(end);
                    }
                    visited.successors.push(place);
                }
            }
            self.visited.push(visited);
        }
        Ok(())
    }

    /// Who moves out of a state, if not everybody does.
    fn set_of(&mut self, node: Node) -> Option<PidSet> {
        match (self.decided, &mut self.reducer) {
            (Decided::BySearch(taken), _) => taken.find(self.space.state(node)),
            (Decided::ByState, Some(reducer)) => {
                let rows = self.space.rows(node).to_vec();
                let sets = reducer.find(self.space.state(node), &rows, true);
                sets.first().copied()
            }
            (Decided::ByState, None) => None,
        }
    }

    /// C0 to C2 in a state.
    fn check_state(
        &mut self,
        node: Node,
        set: PidSet,
        moves: &[Move],
    ) -> Result<Result<(), Box<Breach>>, TooMuch> {
        let mine = || moves.iter().filter(|found| set.has(found.pid));
        if mine().next().is_none() {
            return Ok(Err(self.breach(Condition::C0, node, set, None)));
        }
        let before = self.sees(node);
        for found in mine().filter(|_| !self.reduction.keeps_parts_in_order()) {
            if found.ends.iter().any(|&end| self.sees(end) != before) {
                return Ok(Err(self.breach(Condition::C2, node, set, Some(found.pid))));
            }
        }
        match self.orders.check(&mut self.space, node, set)? {
            Ok(()) => Ok(Ok(())),
            Err(found) => {
                let mut breach = self.breach(Condition::C1, found.node, set, Some(found.other));
                breach.member = Some(found.member);
                Ok(Err(breach))
            }
        }
    }

    /// C3 in the reduced state space, if all of it was seen.
    fn check_delay(&self) -> Result<(), Box<Breach>> {
        if !self.complete {
            return Ok(());
        }
        let found = match self.decided {
            Decided::BySearch(_) => delay::never_moves(&self.visited),
            Decided::ByState => delay::never_all(&self.visited).map(|at| {
                let Visited { set, mobile, .. } = self.visited[at];
                let waiting = PidSet(mobile.0 & !set.unwrap_or_default().0);
                (at, waiting.iter().next().unwrap_or(Pid(0)))
            }),
        };
        found.map_or(Ok(()), |(at, pid)| {
            let Visited { node, set, .. } = self.visited[at];
            let set = set.unwrap_or_default();
            Err(self.breach(Condition::C3, node, set, Some(pid)))
        })
    }

    /// What the property sees in a state.
    fn sees(&mut self, node: Node) -> Vec<Option<bool>> {
        let observed = &self.reduction.observed;
        let mut seen = self.space.values(node, &observed.atoms);
        let state = self.space.state(node).to_vec();
        let stands_at = |label: fn(&model::ControlState) -> bool| {
            let processes = show::processes(self.space.model, &state);
            processes.into_iter().any(|(_, kind, control)| {
                let states = &self.space.model.proctypes[kind as usize].states;
                label(&states[control.index()])
            })
        };
        if observed.accept {
            seen.push(Some(stands_at(|state| state.accept)));
        }
        if observed.progress {
            seen.push(Some(stands_at(|state| state.progress)));
        }
        seen
    }

    fn breach(
        &self,
        condition: Condition,
        node: Node,
        set: PidSet,
        other: Option<Pid>,
    ) -> Box<Breach> {
        Box::new(Breach {
            condition,
            state: self.space.state(node).to_vec(),
            set,
            other,
            member: None,
        })
    }
}
