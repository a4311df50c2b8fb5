//! From a formula to an automaton whose states are sets of formulas that must hold.
//!
//! Follows: [Couvreur 1999]: a formula is what must hold now and what must hold next; a `U` that is
//! put off promises that its right side comes, and there is one acceptance set for each promise: the
//! edges that do not make it.
//!
//! Departs: conditions are decision diagrams, but sets and promises are lists. A choice is cut
//! down to where no choice with fewer duties and fewer promises exists; [Gastin, Oddoux 2001] drop it
//! only where that is so everywhere.
//! A set of formulas is never rewritten: to drop what the others imply could put off two
//! eventualities in turn for ever, without breaking either promise.

use std::collections::HashMap;
use std::rc::Rc;

use crate::automaton::all_marks;
use crate::bdd::Bdd;
use crate::graph::{Arc, Graph};
use crate::normal::{Normal, Normals, Shape};
use crate::translate::TooLarge;

/// More choices than this in one state are too many.
const MOST_CHOICES: usize = 20_000;

/// More states than this are too many.
const MOST_STATES: usize = 20_000;

/// One way to satisfy a formula.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Choice {
    /// What must hold next, sorted.
    next: Vec<Normal>,
    /// The `U` formulas that are put off, sorted.
    promises: Vec<Normal>,
    /// What must hold now.
    guard: Bdd,
}

impl Choice {
    fn now(guard: Bdd) -> Choice {
        Choice {
            next: Vec::new(),
            promises: Vec::new(),
            guard,
        }
    }

    /// No more duties and no more promises than the other, and not the same.
    fn dominates(&self, other: &Choice) -> bool {
        is_subset(&self.next, &other.next)
            && is_subset(&self.promises, &other.promises)
            && (self.next.len() < other.next.len() || self.promises.len() < other.promises.len())
    }
}

fn is_subset(small: &[Normal], large: &[Normal]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|item| rest.any(|other| other == item))
}

fn union(left: &[Normal], right: &[Normal]) -> Vec<Normal> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// The automaton of a formula, as large as it comes.
pub(crate) fn tableau(normals: &mut Normals, formula: Normal) -> Result<Graph, TooLarge> {
    let mut tableau = Tableau {
        normals,
        unfolded: HashMap::new(),
    };
    tableau.run(formula)
}

struct Tableau<'a> {
    normals: &'a mut Normals,
    unfolded: HashMap<Normal, Rc<[Choice]>>,
}

impl Tableau<'_> {
    fn run(&mut self, formula: Normal) -> Result<Graph, TooLarge> {
        let mut states = States::default();
        let initial = states.add(self, self.duties(formula))?;
        let mut at = 0;
        let mut arcs: Vec<Vec<(Bdd, Vec<Normal>, usize)>> = Vec::new();
        while at < states.choices.len() {
            space::cancel::poll();
            let choices = states.choices[at].clone();
            let mut row = Vec::new();
            for choice in &*choices {
                let target = states.add(self, choice.next.clone())?;
                row.push((choice.guard, choice.promises.clone(), target));
            }
            arcs.push(row);
            at += 1;
        }
        let mut promised: Vec<Normal> = arcs
            .iter()
            .flatten()
            .flat_map(|(_, promises, _)| promises.iter().copied())
            .collect();
        promised.sort_unstable();
        promised.dedup();
        if promised.len() > 32 {
            return Err(TooLarge::Sets);
        }
        let sets = promised.len() as u32;
        let bit = |promise: &Normal| 1u32 << promised.binary_search(promise).expect("it was made");
        let mut graph = Graph::new(self.normals.bdds.clone(), sets);
        for row in arcs {
            let arcs = row.into_iter().map(|(guard, promises, target)| Arc {
                guard,
                marks: all_marks(sets) & !promises.iter().map(bit).fold(0, |all, one| all | one),
                target,
            });
            graph.arcs.push(arcs.collect());
        }
        graph.initial = initial;
        Ok(graph)
    }

    /// The formulas whose conjunction this is.
    fn duties(&self, formula: Normal) -> Vec<Normal> {
        match self.normals.shape(formula) {
            Shape::And(parts) => parts.clone(),
            _ if formula == Normal::TRUE => Vec::new(),
            _ => vec![formula],
        }
    }

    /// Drops duties that are parts of what another one demands now: `<> p` beside `[] <> p`.
    ///
    /// The choices stay the same, as a duty met twice is a duty met once.
    fn without_parts(&self, duties: Vec<Normal>) -> Vec<Normal> {
        let holds = |duty: Normal| match *self.normals.shape(duty) {
            Shape::Release(_, hold) => self.duties(hold),
            _ => Vec::new(),
        };
        let parts: Vec<Normal> = duties.iter().flat_map(|&duty| holds(duty)).collect();
        let mut kept = duties;
        kept.retain(|duty| !parts.contains(duty));
        kept
    }

    fn unfold(&mut self, formula: Normal) -> Result<Rc<[Choice]>, TooLarge> {
        if let Some(known) = self.unfolded.get(&formula) {
            return Ok(known.clone());
        }
        let choices: Rc<[Choice]> = match self.normals.shape(formula).clone() {
            Shape::Boolean(function) => self.tidy(vec![Choice::now(function)])?,
            Shape::Next(inner) => {
                let mut choice = Choice::now(Bdd::TRUE);
                choice.next = self.duties(inner);
                vec![choice]
            }
            Shape::And(parts) => self.unfold_all(&parts)?,
            Shape::Or(parts) => {
                let mut choices = Vec::new();
                for part in parts {
                    choices.extend(self.unfold(part)?.iter().cloned());
                }
                self.tidy(choices)?
            }
            Shape::Until(keep, goal) => {
                let mut choices = self.unfold(goal)?.to_vec();
                for choice in &*self.unfold(keep)? {
                    let mut choice = choice.clone();
                    choice.next = union(&choice.next, &[formula]);
                    choice.promises = union(&choice.promises, &[formula]);
                    choices.push(choice);
                }
                self.tidy(choices)?
            }
            Shape::Release(end, hold) => {
                let mut ends = self.unfold(end)?.to_vec();
                let mut later = Choice::now(Bdd::TRUE);
                later.next.push(formula);
                ends.push(later);
                let holds = self.unfold(hold)?;
                self.product(&ends, &holds)?
            }
        }
        .into();
        self.unfolded.insert(formula, choices.clone());
        Ok(choices)
    }

    /// The choices of a conjunction.
    fn unfold_all(&mut self, duties: &[Normal]) -> Result<Vec<Choice>, TooLarge> {
        let mut choices = vec![Choice::now(Bdd::TRUE)];
        for &duty in duties {
            let others = self.unfold(duty)?;
            choices = self.product(&choices, &others)?;
        }
        Ok(choices)
    }

    fn product(&mut self, left: &[Choice], right: &[Choice]) -> Result<Vec<Choice>, TooLarge> {
        if left.len() * right.len() > MOST_CHOICES * 10 {
            return Err(TooLarge::States);
        }
        let mut choices = Vec::new();
        for one in left {
            space::cancel::poll();
            for other in right {
                let guard = self.normals.bdds.and(one.guard, other.guard);
                if guard != Bdd::FALSE {
                    choices.push(Choice {
                        next: union(&one.next, &other.next),
                        promises: union(&one.promises, &other.promises),
                        guard,
                    });
                }
            }
        }
        self.tidy(choices)
    }

    /// Joins choices that differ in their guards only, and cuts down those that are dominated.
    fn tidy(&mut self, mut choices: Vec<Choice>) -> Result<Vec<Choice>, TooLarge> {
        choices.sort_unstable();
        let mut joined: Vec<Choice> = Vec::new();
        for choice in choices {
            match joined.last_mut() {
                Some(last) if last.next == choice.next && last.promises == choice.promises => {
                    last.guard = self.normals.bdds.or(last.guard, choice.guard);
                }
                _ => joined.push(choice),
            }
        }
        if joined.len() > MOST_CHOICES {
            return Err(TooLarge::States);
        }
        let mut kept = Vec::new();
        for choice in &joined {
            let mut guard = choice.guard;
            for better in joined.iter().filter(|better| better.dominates(choice)) {
                guard = self.normals.bdds.without(guard, better.guard);
            }
            if guard != Bdd::FALSE {
                kept.push(Choice {
                    guard,
                    ..choice.clone()
                });
            }
        }
        Ok(kept)
    }
}

/// The states found so far. Sets with the same choices are one state.
#[derive(Default)]
struct States {
    by_duties: HashMap<Vec<Normal>, usize>,
    by_choices: HashMap<Rc<[Choice]>, usize>,
    choices: Vec<Rc<[Choice]>>,
}

impl States {
    fn add(&mut self, tableau: &mut Tableau, duties: Vec<Normal>) -> Result<usize, TooLarge> {
        let duties = tableau.without_parts(duties);
        if let Some(&known) = self.by_duties.get(&duties) {
            return Ok(known);
        }
        let choices: Rc<[Choice]> = tableau.unfold_all(&duties)?.into();
        let fresh = self.choices.len();
        let state = *self.by_choices.entry(choices.clone()).or_insert(fresh);
        if state == fresh {
            self.choices.push(choices);
        }
        self.by_duties.insert(duties, state);
        if fresh > MOST_STATES {
            return Err(TooLarge::States);
        }
        Ok(state)
    }
}
