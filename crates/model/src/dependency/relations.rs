//! Dependency and enabling between single transitions of the processes of a vector.
//!
//! Where [`Table::dependents`](super::Table::dependents) takes processes as a whole, with all that they
//! may still reach, this follows one transition after the other, wherever its process is: a
//! transition disabled by a variable does not matter until another one writes the variable.
//!
//! Follows: [Laarman, Pater, van de Pol, Weber 2013], whose necessary enabling sets are taken from
//! the conjuncts of guards, and from control flow: before a process reaches a transition it takes
//! one of those at its control state.
//!
//! # Why the closure is enough
//!
//! A closed set contains with an enabled transition all that are dependent with it and all at the same
//! control state of its process; with a disabled one, all of which one must be taken to enable it.
//! So as long as no transition of the set is taken, those of it that are enabled stay so and commute
//! with what is taken, and no other of it becomes enabled.

use space::PidSet;

use super::guards::{Guard, Test};
use super::table::Table;
use super::uses::Uses;
use crate::ids::ControlId;
use crate::model::{ControlState, Model};

/// Nothing is said about more transitions.
const MOST_TRANSITIONS: usize = 2_048;

/// An enabled transition weighs as much as so many disabled ones.
const WEIGHT: u32 = 1_000;

/// A conjunct of a guard, and the transitions that may make it true.
#[derive(Clone, Debug)]
struct Part {
    test: Test,
    /// Whether variables of the process itself decide, too: then it counts only at its place.
    is_own: bool,
    writers: u32,
}

/// Relations between the transitions of a table. Sets of transitions are rows of as many words each.
#[derive(Clone, Debug, Default)]
pub(super) struct Relations {
    words: usize,
    /// For each transition the ones of other processes that are dependent with it, and those that may
    /// enable it.
    dependent: Vec<u64>,
    enabling: Vec<u64>,
    /// For each transition where the parts of its guard begin, and at last where they end.
    firsts: Vec<u32>,
    parts: Vec<Part>,
    writers: Vec<u64>,
    /// For each transition its process.
    owners: Vec<u8>,
    /// For each transition those of the same process that may lead to its place at once.
    leading: Vec<u64>,
    /// For each control state of all processes the transitions that its process can reach.
    ahead: Vec<u64>,
    /// the transitions at the control states of the processes, and those of them that are enabled.
    present: Vec<u64>,
    possible: Vec<u64>,
    closed: Vec<u64>,
    open: Vec<u32>,
    /// The processes with a step in it, and those of which all transitions at their control states are
    /// in it.
    moving: u64,
    joined: u64,
    /// What is to be added, and what might be instead.
    chosen: Vec<u64>,
    other: Vec<u64>,
}

impl Relations {
    /// Of transitions, by process, with what each uses, that including what it starts, and the conjuncts
    /// of its guard. Nothing if there are too many.
    pub(super) fn new(
        uses: &[Vec<Uses>],
        prospects: &[Vec<Uses>],
        guards: &[Vec<Vec<Guard>>],
    ) -> Option<Relations> {
        let count = uses.iter().map(Vec::len).sum::<usize>();
        if count > MOST_TRANSITIONS {
            return None;
        }
        let mut found = Relations {
            words: count.div_ceil(64),
            ..Relations::default()
        };
        for (pid, transitions) in uses.iter().enumerate() {
            for (slot, used) in transitions.iter().enumerate() {
                space::cancel::poll();
                let others = |own: usize, test: &dyn Fn(&Uses) -> bool| {
                    row(prospects, found.words, |pid, uses| pid != own && test(uses))
                };
                let dependent = others(pid, &|other| {
                    used.is_dependent_on(other) || used.observes_receivers_of(other)
                });
                let enabling = others(pid, &|other| {
                    used.may_be_enabled_by(other) || used.observes_receivers_of(other)
                });
                found.dependent.extend(dependent);
                found.enabling.extend(enabling);
                found.owners.push(pid as u8);
                found.firsts.push(found.parts.len() as u32);
                for (test, enabler, is_own) in &guards[pid][slot] {
                    let writers = row(prospects, found.words, |_, uses| enabler.is_done_by(uses));
                    found.parts.push(Part {
                        test: *test,
                        is_own: *is_own,
                        writers: (found.writers.len() / found.words) as u32,
                    });
                    found.writers.extend(writers);
                }
            }
        }
        found.firsts.push(found.parts.len() as u32);
        Some(found)
    }

    /// Note how a process whose transitions begin at a number reaches them.
    pub(super) fn add_ways(
        &mut self,
        model: &Model,
        states: &[ControlState],
        rows: &[u32],
        first: usize,
    ) {
        self.add_leading(model, states, rows, first);
        self.add_ahead(model, states, rows, first);
    }

    fn add_leading(&mut self, model: &Model, states: &[ControlState], rows: &[u32], first: usize) {
        let words = self.words;
        let start = self.leading.len();
        self.leading.resize(start + rows.len() * words, 0);
        for (slot, &row) in rows.iter().enumerate() {
            for place in places_behind(model, states, row) {
                for option in &states[place].options {
                    if let Ok(next) = rows.binary_search(&option.transition.0) {
                        let leading = &mut self.leading[start + next * words..][..words];
                        insert(leading, first + slot);
                    }
                }
            }
        }
    }

    fn add_ahead(&mut self, model: &Model, states: &[ControlState], rows: &[u32], first: usize) {
        let words = self.words;
        let mut ahead = vec![0_u64; states.len() * words];
        loop {
            space::cancel::poll();
            let before = ahead.clone();
            for (control, state) in states.iter().enumerate().rev() {
                for option in &state.options {
                    if let Ok(slot) = rows.binary_search(&option.transition.0) {
                        insert(&mut ahead[control * words..][..words], first + slot);
                    }
                    let target = model.transition(option.transition).target;
                    if target != ControlId(0) {
                        for word in 0..words {
                            ahead[control * words + word] |= ahead[target.index() * words + word];
                        }
                    }
                }
            }
            if ahead == before {
                break;
            }
        }
        self.ahead.extend(ahead);
    }

    /// Add the chosen transitions that are not closed yet. Enabled ones come up first,
    /// since they show soonest that no process is left out.
    fn add_chosen(&mut self) {
        for is_possible in [false, true] {
            for (word, &bits) in self.chosen.iter().enumerate() {
                let possible = self.possible[word];
                let wanted = if is_possible { possible } else { !possible };
                let mut new = bits & wanted & !self.closed[word];
                self.closed[word] |= new;
                while new != 0 {
                    let number = word as u32 * 64 + new.trailing_zeros();
                    new &= new - 1;
                    self.open.push(number);
                    if is_possible {
                        self.moving |= 1 << self.owners[number as usize];
                    }
                }
            }
        }
    }

    /// Choose the other set if it costs less. Whether it does.
    fn take_cheaper(&mut self, cost: &mut u32) -> bool {
        let other = self.cost(&self.other);
        let is_cheaper = other < *cost;
        if is_cheaper {
            *cost = other;
            std::mem::swap(&mut self.chosen, &mut self.other);
        }
        is_cheaper
    }

    /// What it costs to add a set.
    fn cost(&self, set: &[u64]) -> u32 {
        let words = set.iter().zip(&self.closed).zip(&self.possible);
        words
            .map(|((&bits, &closed), &possible)| {
                let new = bits & !closed;
                (new & possible).count_ones() * WEIGHT + (new & !possible).count_ones()
            })
            .sum()
    }
}

/// The control states where a process may be when it has taken a transition, and those that may
/// follow before another process can move.
fn places_behind(model: &Model, states: &[ControlState], row: u32) -> Vec<usize> {
    let mut places = Vec::new();
    let mut seen = vec![false; states.len()];
    let mut open = vec![&model.transitions[row as usize]];
    while let Some(transition) = open.pop() {
        let place = transition.target.index();
        if place == 0 || std::mem::replace(&mut seen[place], true) {
            continue;
        }
        places.push(place);
        if transition.atomic {
            let options = states[place].options.iter();
            open.extend(options.map(|option| model.transition(option.transition)));
        }
    }
    places
}

/// The transitions that pass a test, as a row.
fn row(uses: &[Vec<Uses>], words: usize, test: impl Fn(usize, &Uses) -> bool) -> Vec<u64> {
    let mut row = vec![0_u64; words];
    let all = uses.iter().enumerate();
    let all = all.flat_map(|(pid, transitions)| transitions.iter().map(move |one| (pid, one)));
    for (number, (pid, uses)) in all.enumerate() {
        if test(pid, uses) {
            insert(&mut row, number);
        }
    }
    row
}

fn clear(row: &mut Vec<u64>, words: usize) {
    row.clear();
    row.resize(words, 0);
}

fn insert(row: &mut [u64], number: usize) {
    row[number / 64] |= 1 << (number % 64);
}

fn has(row: &[u64], number: usize) -> bool {
    row[number / 64] >> (number % 64) & 1 != 0
}

impl Table {
    /// Whether relations between single transitions are known.
    pub fn knows_relations(&self) -> bool {
        self.relations.is_some()
    }

    /// Note where the processes are and what they can do, for [`Table::close`].
    pub fn note_present(&mut self) {
        let Some(mut relations) = self.relations.take() else {
            return;
        };
        for row in [&mut relations.present, &mut relations.possible] {
            clear(row, relations.words);
        }
        for pid in 0..self.processes() {
            for (number, possible) in self.present_of(pid) {
                insert(&mut relations.present, number);
                if possible {
                    insert(&mut relations.possible, number);
                }
            }
        }
        self.relations = Some(relations);
    }

    /// The processes with a step in a closed set that begins with what some of them have at their
    /// places, or `limit` if it is as large.
    pub fn close(&mut self, model: &Model, state: &[u8], start: u64, limit: u64) -> u64 {
        let Some(mut relations) = self.relations.take() else {
            return limit;
        };
        let moving = self.close_in(&mut relations, model, state, start, limit);
        self.relations = Some(relations);
        moving
    }

    fn close_in(
        &mut self,
        relations: &mut Relations,
        model: &Model,
        state: &[u8],
        start: u64,
        limit: u64,
    ) -> u64 {
        let words = relations.words;
        clear(&mut relations.closed, words);
        clear(&mut relations.chosen, words);
        clear(&mut relations.other, words);
        relations.open.clear();
        (relations.moving, relations.joined) = (0, start);
        for pid in PidSet(start).iter() {
            self.present_row(usize::from(pid.0), &mut relations.chosen);
        }
        relations.add_chosen();
        while let Some(number) = relations.open.pop() {
            if relations.moving & limit == limit {
                return limit;
            }
            let number = number as usize;
            let owner = usize::from(relations.owners[number]);
            relations.chosen.fill(0);
            if has(&relations.possible, number) {
                let dependent = &relations.dependent[number * words..][..words];
                relations.chosen.copy_from_slice(dependent);
                if relations.joined >> owner & 1 == 0 {
                    relations.joined |= 1 << owner;
                    self.present_row(owner, &mut relations.chosen);
                }
                relations.add_chosen();
            } else if self.choose(relations, model, state, number) {
                relations.add_chosen();
            }
        }
        relations.moving
    }

    /// Choose the cheapest necessary enabling set of a transition. False if there
    /// is nothing to add, or it never will be possible.
    fn choose(
        &self,
        relations: &mut Relations,
        model: &Model,
        state: &[u8],
        number: usize,
    ) -> bool {
        let words = relations.words;
        let owner = usize::from(relations.owners[number]);
        let is_here = has(&relations.present, number);
        let has_joined = relations.joined >> owner & 1 != 0;
        if !is_here && has_joined {
            return false;
        }
        let column = self.column_of(owner);
        if !is_here && !has(&relations.ahead[column * words..][..words], number) {
            return false;
        }
        self.present_row(owner, &mut relations.chosen);
        if is_here {
            let enabling = &relations.enabling[number * words..][..words];
            let words = relations.chosen.iter_mut().zip(enabling);
            words.for_each(|(a, b)| *a |= b);
        }
        let mut cost = relations.cost(&relations.chosen);
        let mut joins = true;
        if !is_here {
            let leading = &relations.leading[number * words..][..words];
            relations.other.copy_from_slice(leading);
            joins &= !relations.take_cheaper(&mut cost);
        }
        let parts = relations.firsts[number] as usize..relations.firsts[number + 1] as usize;
        for part in parts {
            if cost == 0 {
                break;
            }
            let part = &relations.parts[part];
            if part.is_own && !is_here || !part.test.is_false(model, state) {
                continue;
            }
            let writers = &relations.writers[part.writers as usize * words..][..words];
            relations.other.copy_from_slice(writers);
            if part.is_own {
                self.present_row(owner, &mut relations.other);
            }
            joins &= !relations.take_cheaper(&mut cost);
        }
        relations.joined |= u64::from(joins) << owner;
        true
    }

    /// Add the transitions at the place of a process.
    fn present_row(&self, pid: usize, row: &mut [u64]) {
        for (number, _) in self.present_of(pid) {
            insert(row, number);
        }
    }
}
