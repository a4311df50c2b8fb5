//! A part of the state space as a graph in memory, to take a fair cycle out of it.
//!
//! Follows: [004, 3.2], where a breadth-first search inside the states that are left finds
//! the cycle, and [004, 5] for the conditions.
//!
//! Departs:
//! - The part is written down as a graph, so that it can be taken apart: the strongly
//!   connected components are found by Tarjan's algorithm, and one that is not strongly fair
//!   is looked at again without the states that enable those it is not fair to.
//! - A cycle goes, by shortest paths, from one unmet condition to the nearest next one.
//!   Finding the shortest of all is NP-complete, as 004 says.

use std::collections::HashMap;

use space::{Acceptance, Fairness};

use crate::Completion;
use crate::accounting::Accounting;
use crate::move_marks::{MarkedMoves, MoveMarks, Pids, Total};
use crate::queue::Queue;

/// No state.
const NONE: u32 = u32::MAX;

/// A move inside the component.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    /// The number of the move among those of its state.
    number: u32,
    /// Its marks, by number.
    marks: u32,
}

/// The states that can be reached from a state without leaving some set, by their distance.
#[derive(Debug, Default)]
pub(crate) struct Component {
    /// For each state who is enabled, by number.
    enabled: Vec<u32>,
    /// For each state the number of its first edge, and the end of all.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// For each state the one from which it was found, and the number of the move.
    parents: Vec<(u32, u32)>,
    /// For each state its name outside.
    names: Vec<u64>,
    pids: Names<Pids>,
    marks: Names<MoveMarks>,
}

/// Things that are numbered when they are first met.
#[derive(Debug)]
struct Names<T> {
    list: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names {
            list: Vec::new(),
            numbers: HashMap::new(),
        }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Names<T> {
    fn number(&mut self, thing: T) -> u32 {
        let list = &mut self.list;
        *self.numbers.entry(thing).or_insert_with(|| {
            list.push(thing);
            list.len() as u32 - 1
        })
    }
}

/// What Tarjan's algorithm knows about each state.
#[derive(Debug)]
struct Tarjan {
    /// Its number, or [`NONE`] if it was not met.
    numbers: Vec<u32>,
    /// The least number of an open state that it leads to.
    lows: Vec<u32>,
    /// The open states.
    stack: Vec<u32>,
    last: u32,
}

impl Tarjan {
    fn new(states: usize) -> Tarjan {
        Tarjan {
            numbers: vec![NONE; states],
            lows: vec![NONE; states],
            stack: Vec::new(),
            last: 0,
        }
    }

    fn open(&mut self, state: u32) {
        self.numbers[state as usize] = self.last;
        self.lows[state as usize] = self.last;
        self.last += 1;
        self.stack.push(state);
    }
}

impl Component {
    /// Search breadth first from a state. `inside` gives the name of a state that belongs to
    /// the set. `memory` is in use already.
    pub(crate) fn build<M: Acceptance>(
        model: &mut M,
        start: &[u8],
        mut inside: impl FnMut(&[u8]) -> Option<u64>,
        accounting: &mut Accounting<'_>,
        memory: usize,
    ) -> Result<Component, Completion> {
        let mut component = Component::default();
        let mut numbers = HashMap::new();
        let mut queue = Queue::default();
        let mut moves = MarkedMoves::default();
        let mut vector = Vec::new();
        let Some(name) = inside(start) else {
            return Ok(component);
        };
        numbers.insert(name, 0);
        component.names.push(name);
        component.parents.push((NONE, 0));
        queue.push(start);
        let mut at = 0;
        while queue.pop(&mut vector) {
            if accounting.is_poll_due() {
                // A hash map takes about twice its entries.
                let map = numbers.len() * 2 * size_of::<(u64, u32)>();
                accounting.poll(memory + component.memory_bytes() + queue.memory_bytes() + map)?;
            }
            moves.explore(model, &vector, accounting, memory)?;
            component.first.push(component.edges.len() as u32);
            let enabled = component.pids.number(moves.enabled);
            component.enabled.push(enabled);
            for (number, (vector, marks)) in (0..).zip(moves.iter()) {
                let Some(name) = inside(vector) else {
                    continue;
                };
                let to = *numbers.entry(name).or_insert_with(|| {
                    queue.push(vector);
                    component.names.push(name);
                    component.parents.push((at, number));
                    component.names.len() as u32 - 1
                });
                let marks = component.marks.number(*marks);
                component.edges.push(Edge { to, number, marks });
            }
            at += 1;
        }
        component.first.push(component.edges.len() as u32);
        Ok(component)
    }

    fn memory_bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>()
            + self.enabled.capacity() * (2 * size_of::<u32>() + size_of::<(u32, u32)>())
            + self.names.capacity() * size_of::<u64>()
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.enabled.len()
    }

    /// The names of the states.
    pub(crate) fn names(&self) -> &[u64] {
        &self.names
    }

    fn edges(&self, state: u32) -> &[Edge] {
        let state = state as usize;
        &self.edges[self.first[state] as usize..self.first[state + 1] as usize]
    }

    fn marks(&self, edge: &Edge) -> &MoveMarks {
        &self.marks.list[edge.marks as usize]
    }

    fn enabled(&self, state: u32) -> Pids {
        self.pids.list[self.enabled[state as usize] as usize]
    }

    /// The moves from the first state to a state, by number.
    pub(crate) fn moves_to(&self, mut state: u32) -> Vec<u32> {
        let mut moves = Vec::new();
        while self.parents[state as usize].0 != NONE {
            let (parent, number) = self.parents[state as usize];
            moves.push(number);
            state = parent;
        }
        moves.reverse();
        moves
    }

    /// Sets of states that lie on a fair accepting cycle together, largest possible ones.
    pub(crate) fn fair_sets(&self, all: u32, fairness: Fairness) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut todo = vec![Vec::from_iter(0..self.len() as u32)];
        // Which of `todo` a state belongs to.
        let mut part = vec![0; self.len()];
        let mut last_part = 0;
        let mut marks = Tarjan::new(self.len());
        while let Some(states) = todo.pop() {
            last_part += 1;
            for &state in &states {
                part[state as usize] = last_part;
            }
            marks.last = 0;
            for set in self.components(&states, &part, &mut marks) {
                last_part += 1;
                for &state in &set {
                    part[state as usize] = last_part;
                }
                let Some(total) = self.total(&set, &part) else {
                    continue;
                };
                if total.satisfies_proviso(all, fairness) {
                    found.push(set);
                } else if total.sets & all == all && fairness == Fairness::Strong {
                    let wronged = total.wronged(fairness);
                    let harmless =
                        |state: &u32| self.enabled(*state).intersection(&wronged).is_empty();
                    todo.push(set.into_iter().filter(harmless).collect());
                }
            }
        }
        found
    }

    /// The marks of the states of a part and of the moves inside; nothing if there are none.
    fn total(&self, set: &[u32], part: &[u32]) -> Option<Total> {
        let position = part[*set.first()? as usize];
        let mut total = Total::of_state(self.enabled(set[0]));
        let mut has_moves = false;
        for &state in set {
            total.add(&Total::of_state(self.enabled(state)));
            let inside = |edge: &&Edge| part[edge.to as usize] == position;
            for edge in self.edges(state).iter().filter(inside) {
                total.add_move(self.marks(edge));
                has_moves = true;
            }
        }
        has_moves.then_some(total)
    }

    /// The strongly connected components of some states, all those of a part.
    ///
    /// Follows: [Tarjan 1972], with an explicit stack.
    fn components(&self, states: &[u32], part: &[u32], marks: &mut Tarjan) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        for &state in states {
            marks.numbers[state as usize] = NONE;
        }
        for &root in states {
            if marks.numbers[root as usize] == NONE {
                self.components_from(root, part, marks, &mut found);
            }
        }
        found
    }

    fn components_from(
        &self,
        root: u32,
        part: &[u32],
        marks: &mut Tarjan,
        found: &mut Vec<Vec<u32>>,
    ) {
        let position = part[root as usize];
        let mut path = vec![(root, 0)];
        marks.open(root);
        while let Some(&mut (state, ref mut next)) = path.last_mut() {
            if let Some(edge) = self.edges(state).get(*next) {
                let to = edge.to as usize;
                if part[to] == position && marks.numbers[to] == NONE {
                    // This edge is looked at again when the other state is done.
                    marks.open(edge.to);
                    path.push((edge.to, 0));
                    continue;
                }
                *next += 1;
                if part[to] == position {
                    let low = marks.lows[to];
                    let own = &mut marks.lows[state as usize];
                    *own = low.min(*own);
                }
                continue;
            }
            path.pop();
            if marks.lows[state as usize] == marks.numbers[state as usize] {
                let is_it = |&other: &u32| other == state;
                let start = marks.stack.iter().rposition(is_it).unwrap_or(0);
                let component = marks.stack.split_off(start);
                for &state in &component {
                    // Nobody is led back there.
                    marks.lows[state as usize] = NONE;
                }
                found.push(component);
            }
        }
    }

    /// A cycle through states of a fair set that is accepting and fair, from one of them on.
    pub(crate) fn cycle(
        &self,
        set: &[u32],
        start: u32,
        all: u32,
        fairness: Fairness,
    ) -> Option<Vec<u32>> {
        let mut inside = vec![false; self.len()];
        for &state in set {
            inside[state as usize] = true;
        }
        let mut total = Total::of_state(self.enabled(start));
        let mut moves = Vec::new();
        let mut at = start;
        loop {
            let path = match total.satisfies_proviso(all, fairness) {
                true => self.path(at, &inside, |edge| u32::from(edge.to == start)),
                false => self.path(at, &inside, |edge| self.help(edge, &total, all, fairness)),
            }?;
            for edge in path {
                total.add_move(self.marks(&edge));
                total.add(&Total::of_state(self.enabled(edge.to)));
                moves.push(edge.number);
                at = edge.to;
            }
            // The way back may have met states that make further demands.
            if at == start && total.satisfies_proviso(all, fairness) {
                return Some(moves);
            }
        }
    }

    /// How many conditions that a path does not meet it does with another edge.
    fn help(&self, edge: &Edge, total: &Total, all: u32, fairness: Fairness) -> u32 {
        let mut with = *total;
        with.add_move(self.marks(edge));
        with.add(&Total::of_state(self.enabled(edge.to)));
        let sets = with.sets & all & !total.sets;
        let righted = (total.wronged(fairness)).without(&with.wronged(fairness));
        sets.count_ones() + righted.len()
    }

    /// A shortest path inside some states whose last edge gains something, the most among
    /// those of this length.
    fn path(&self, from: u32, inside: &[bool], gain: impl Fn(&Edge) -> u32) -> Option<Vec<Edge>> {
        // For each state the edge that led there, and where it came from.
        let mut parents: HashMap<u32, (u32, Edge)> = HashMap::new();
        let mut layer = vec![from];
        let mut next = Vec::new();
        while !layer.is_empty() {
            let mut best: Option<(u32, u32, Edge)> = None;
            for &state in &layer {
                for edge in self.edges(state).iter().filter(|e| inside[e.to as usize]) {
                    let gain = gain(edge);
                    if gain > best.map_or(0, |(gain, ..)| gain) {
                        best = Some((gain, state, *edge));
                    }
                    if edge.to != from && !parents.contains_key(&edge.to) {
                        parents.insert(edge.to, (state, *edge));
                        next.push(edge.to);
                    }
                }
            }
            if let Some((_, mut at, last)) = best {
                let mut path = vec![last];
                while at != from {
                    let (before, edge) = parents[&at];
                    path.push(edge);
                    at = before;
                }
                path.reverse();
                return Some(path);
            }
            std::mem::swap(&mut layer, &mut next);
            next.clear();
        }
        None
    }
}
