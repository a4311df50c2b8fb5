//! Whether exchanging members of a scalarset is a symmetry, by brute force.
//!
//! In every state in which the processes of two members are there, exchange the two: the moves of the
//! state that comes out must be those of the state, with the same two exchanged, by the processes
//! that take each other's places, with the same violations. The property must not tell the two
//! states apart, and they must have the same representative. Neighbours are enough: they generate all
//! permutations.
//!
//! Ends of processes do not count, since they come in an order that no exchange keeps (see
//! [`model::symmetry`]). Where one is possible, nothing is said about a `timeout`, which waits for it.
//!
//! Hidden variables are in no store, so nothing is said about models that have some.
//!
//! Nothing here rests on how symmetries are found: states are executed by the interpreter.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt::Write;

use model::symmetry::{Action, Member, SetId, Watched};
use model::{Expr, Model, show};
use space::{Pid, Representative, Violation};

use super::executed::{Move, Node, Space, TooMuch};
use crate::orbit::Orbits;

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeAudit {
    /// The states.
    pub states: usize,
    /// How often two members were exchanged.
    pub exchanges: usize,
    /// Whether there were no more states.
    pub complete: bool,
}

/// An exchange that is no symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asymmetry {
    /// What is wrong.
    pub what: &'static str,
    /// The state where it shows.
    pub state: Vec<u8>,
    /// The processes of the two members, the first ones of a family.
    pub pair: (Pid, Pid),
}

impl Asymmetry {
    /// A sentence for people, and the state.
    pub fn describe(&self, model: &Model) -> String {
        let (a, b) = (self.pair.0.0, self.pair.1.0);
        let mut text = format!("processes {a} and {b} are exchanged, but {}", self.what);
        for item in show::items(model, &self.state) {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {} = {}", item.name, item.value);
        }
        text
    }
}

/// Two neighbours of a set.
#[derive(Clone, Copy)]
struct Pair {
    set: SetId,
    a: u8,
    b: u8,
}

/// Moves as others see them: who moves, with whom, and where to.
type Seen = BTreeSet<(Pid, Option<Pid>, Vec<u8>)>;

/// Check the exchanges of a model, as far as no more than `most` states have to be looked at.
pub fn check_exchanges(
    model: &Model,
    watched: &Watched,
    orbits: &Orbits<'_>,
    most: usize,
) -> Result<ExchangeAudit, Box<Asymmetry>> {
    let action = orbits.action();
    let mut checker = Checker {
        // An exchanged state need not be one that is reached.
        space: Space::new(model, most.saturating_mul(4)),
        model,
        action,
        watched,
        orbits: orbits.clone(),
        exchanges: 0,
        has_timeout: model.exprs.contains(&Expr::Timeout),
    };
    let mut seen = HashSet::new();
    if model.layout.hidden > 0 {
        return Ok(ExchangeAudit {
            states: 0,
            exchanges: 0,
            complete: false,
        });
    }
    let mut complete = true;
    let mut open: VecDeque<Node> = checker.space.initial().into_iter().collect();
    seen.extend(open.iter().copied());
    while let Some(node) = open.pop_front() {
        let moves = checker.space.moves(node);
        let checked = match &moves {
            Ok(_) if seen.len() <= most => checker.check_state(node)?,
            _ => Err(TooMuch),
        };
        let (Ok(moves), Ok(())) = (moves, checked) else {
            complete = false;
            break;
        };
        for end in moves.iter().flat_map(|found| &found.ends) {
            if seen.insert(*end) {
                open.push_back(*end);
            }
        }
    }
    Ok(ExchangeAudit {
        states: seen.len(),
        exchanges: checker.exchanges,
        complete,
    })
}

struct Checker<'a> {
    space: Space<'a>,
    model: &'a Model,
    action: &'a Action,
    watched: &'a Watched,
    orbits: Orbits<'a>,
    exchanges: usize,
    has_timeout: bool,
}

impl Checker<'_> {
    /// Exchange all neighbours of a state.
    fn check_state(&mut self, node: Node) -> Result<Result<(), TooMuch>, Box<Asymmetry>> {
        for set in 0..self.action.sets() {
            for b in 1..self.action.size(set) as u8 {
                let pair = Pair { set, a: b - 1, b };
                if !self.are_there(pair, node) {
                    continue;
                }
                match self.compare(node, pair) {
                    Ok(None) => self.exchanges += 1,
                    Ok(Some(what)) => return Err(self.asymmetry(what, node, pair)),
                    Err(TooMuch) => return Ok(Err(TooMuch)),
                }
            }
        }
        Ok(Ok(()))
    }

    /// What tells a state from the one in which two members are exchanged.
    fn compare(&mut self, node: Node, pair: Pair) -> Result<Option<&'static str>, TooMuch> {
        let state = self.space.state(node).to_vec();
        let image = self.exchanged(pair, &state);
        if self.exchanged(pair, &image) != self.scrubbed(&state) {
            return Ok(Some("exchanging them again does not restore the state"));
        }
        let other = self.space.number(&image);
        let (moves, others) = (self.space.moves(node)?, self.space.moves(other)?);
        let ends = |moves: &[Move]| moves.iter().any(|found| self.space.is_end(found));
        if !self.has_timeout || !ends(&moves) && !ends(&others) {
            let process = |pid| self.renamed(pair, pid);
            let wanted = self.seen(&moves, process, |end| self.exchanged(pair, end));
            let found = self.seen(&others, |pid| pid, |end| self.scrubbed(end));
            if wanted != found {
                return Ok(Some("the moves do not correspond"));
            }
            if violations(&moves) != violations(&others) {
                return Ok(Some("different properties are violated"));
            }
        }
        if !self.is_watched_alike(node, other) {
            return Ok(Some("the property distinguishes the states"));
        }
        Ok((!self.have_one_representative(&state, &image))
            .then_some("the states have different representatives"))
    }

    /// The moves of a state but ends of processes, with processes and states renamed.
    fn seen(
        &self,
        moves: &[Move],
        process: impl Fn(Pid) -> Pid,
        state: impl Fn(&[u8]) -> Vec<u8>,
    ) -> Seen {
        let moves = moves.iter().filter(|found| !self.space.is_end(found));
        moves
            .flat_map(|found| {
                let partner = found.partner().map(&process);
                let pid = process(found.pid);
                let ends = found.ends.iter().map(|end| state(self.space.state(*end)));
                ends.map(move |end| (pid, partner, end)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// Whether each edge of the property's automaton can be taken in both states or in none.
    fn is_watched_alike(&mut self, a: Node, b: Node) -> bool {
        let atoms = &self.watched.atoms;
        let (a, b) = (self.space.values(a, atoms), self.space.values(b, atoms));
        let admits = |label: &[(u64, u64)], values: &[Option<bool>]| {
            let is = |row: usize, wanted| values.get(row).copied().flatten() == Some(wanted);
            label.iter().any(|&(yes, no)| {
                let rows = |set: u64| (0..64).filter(move |row| set >> row & 1 != 0);
                rows(yes).all(|row| is(row, true)) && rows(no).all(|row| is(row, false))
            })
        };
        let mut labels = self.watched.labels.iter();
        labels.all(|label| admits(label, &a) == admits(label, &b))
    }

    fn have_one_representative(&mut self, state: &[u8], image: &[u8]) -> bool {
        let hidden = self.model.layout.hidden as usize;
        let mut of = |state: &[u8]| {
            let mut vector = state[hidden..].to_vec();
            self.orbits.represent(&mut vector);
            vector
        };
        let (a, b) = (of(state), of(image));
        a == b || !self.orbits.is_canonical()
    }

    fn are_there(&self, pair: Pair, node: Node) -> bool {
        let state = &self.space.state(node)[self.model.layout.hidden as usize..];
        let is_there = |position| {
            let set = pair.set;
            self.action.is_there(Member { set, position }, state)
        };
        is_there(pair.a) && is_there(pair.b)
    }

    /// A state without what nobody reads.
    fn scrubbed(&self, state: &[u8]) -> Vec<u8> {
        let mut vector = state.to_vec();
        self.action
            .scrub(&mut vector[self.model.layout.hidden as usize..]);
        vector
    }

    /// The same with two members exchanged.
    fn exchanged(&self, pair: Pair, state: &[u8]) -> Vec<u8> {
        let mut vector = self.scrubbed(state);
        let own = &mut vector[self.model.layout.hidden as usize..];
        let (a, b) = (usize::from(pair.a), usize::from(pair.b));
        self.action.swap(pair.set, a, b, own);
        vector
    }

    /// The process whose place a process takes.
    fn renamed(&self, pair: Pair, pid: Pid) -> Pid {
        match self.action.member_of(pid.0) {
            Some((member, family)) if member.set == pair.set => {
                let position = match member.position {
                    at if at == pair.a => pair.b,
                    at if at == pair.b => pair.a,
                    at => at,
                };
                Pid(self.action.process_of(family, position))
            }
            _ => pid,
        }
    }

    fn asymmetry(&self, what: &'static str, node: Node, pair: Pair) -> Box<Asymmetry> {
        let pids = (0..self.action.process_count() as u8).map(Pid);
        let mut own = pids.filter(|pid| {
            let member = self.action.member_of(pid.0).map(|(member, _)| member);
            member.is_some_and(|m| m.set == pair.set && m.position == pair.a)
        });
        let first = own.next().unwrap_or(Pid(0));
        Box::new(Asymmetry {
            what,
            state: self.space.state(node).to_vec(),
            pair: (first, self.renamed(pair, first)),
        })
    }
}

/// What moves violate, in order, each once.
fn violations(moves: &[Move]) -> Vec<Violation> {
    let mut all: Vec<Violation> = moves.iter().flat_map(|m| m.violations.clone()).collect();
    all.sort_by_key(|violation| (violation.kind, violation.site.map(|site| site.0)));
    all.dedup();
    all
}
