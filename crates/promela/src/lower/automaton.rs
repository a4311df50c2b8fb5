//! From the control flow of a body to control states and their options.
//!
//! Follows: what Spin's verifier does with its tables before a search: jumps and joins are
//! skipped, compound statements become the list of the first statements inside them, and
//! the options of escapes are put in front.
//!
//! Departs: nothing that can be counted. Spin's order of escape options (reversed) is kept,
//! because the order of exploration and the meaning of `else` among them depend on it.

use std::collections::HashSet;

use model::{Action, ControlId, ControlState, Model, OptionEntry, ProctypeId, Transition};
use space::TransitionId;

use super::dstep::DStepCompiler;
use super::flow::{ElementId, Flow, Node, SequenceId};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Longer chains of jumps than this go round in a circle.
const CHAIN: usize = 500;

/// A row of the table under construction: one per element.
#[derive(Clone, Debug, Default)]
enum Row {
    /// Not a control state of its own.
    #[default]
    None,
    /// A compound statement: the numbers of the elements it may start with.
    Starts(Vec<u32>),
    /// Statements, tried in this order.
    Options(Vec<Way>),
}

/// One way out of a control state.
#[derive(Clone, Debug)]
struct Way {
    element: ElementId,
    target: u32,
    /// Starts of the escapes that cover it, as in [`super::flow::Element::escapes`].
    escapes: Vec<u32>,
    /// The escape this way belongs to.
    escape: u32,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    end: bool,
    progress: bool,
    accept: bool,
}

impl Flags {
    fn add(&mut self, other: Flags) {
        self.end |= other.end;
        self.progress |= other.progress;
        self.accept |= other.accept;
    }
}

/// Builds the automaton of one body.
pub(super) struct Automaton<'a> {
    flow: &'a mut Flow,
    model: &'a mut Model,
    proctype: ProctypeId,
    /// Never claims may loop without condition.
    claim: bool,
    rows: Vec<Row>,
    flags: Vec<Flags>,
    done: Vec<bool>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Automaton<'a> {
    /// Build control states and transitions of a proctype from its flow.
    pub(super) fn build(
        flow: &'a mut Flow,
        model: &'a mut Model,
        proctype: ProctypeId,
        claim: bool,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) {
        let Some(top) = flow.top else { return };
        flow.tie_loose_ends();
        let states = flow.next_number as usize;
        let elements = flow.elements.len();
        let mut automaton = Automaton {
            flow,
            model,
            proctype,
            claim,
            rows: vec![Row::None; states],
            flags: vec![Flags::default(); states],
            done: vec![false; elements],
            diagnostics,
        };
        automaton.sequence(top);
        automaton.label_flags();
        automaton.flatten_starts();
        automaton.starts_to_options();
        automaton.prepend_escapes();
        automaton.pass_on_ends();
        automaton.check_rows();
        automaton.finish(top);
    }

    /// Rows for the elements of a sequence.
    fn sequence(&mut self, id: SequenceId) {
        let sequence = *self.flow.sequence(id);
        let mut at = sequence.first;
        while let Some(element) = at {
            if !self.done[element.0 as usize] {
                self.done[element.0 as usize] = true;
                self.element(element);
            }
            // The end is read anew: an inner sequence may have been tied up meanwhile.
            if Some(element) == self.flow.sequence(id).last {
                break;
            }
            at = self.flow.element(element).next;
        }
    }

    fn element(&mut self, id: ElementId) {
        space::cancel::poll();
        let element = self.flow.element(id);
        let number = element.number as usize;
        match element.node {
            Node::Unless => {
                let main = element.sub[0];
                self.sequence(main);
            }
            Node::If | Node::Do => {
                let options = element.sub.clone();
                let mut starts = Vec::new();
                for &option in &options {
                    let Some(start) = self.first_of(option) else {
                        continue;
                    };
                    let first = self.flow.element(start);
                    let dead = matches!(first.node, Node::Never) && first.escapes.is_empty();
                    if !dead {
                        starts.push(first.number);
                    }
                }
                self.rows[number] = Row::Starts(starts);
                for option in options {
                    self.sequence(option);
                }
            }
            Node::Atomic | Node::Block => self.inner_sequence(id),
            Node::DStep => self.dstep(id),
            _ => self.basic(id),
        }
    }

    fn inner_sequence(&mut self, id: ElementId) {
        let element = self.flow.element(id);
        let (number, next) = (element.number as usize, element.next);
        let Some(inner) = element.inner else { return };
        self.patch_jumps(inner);
        let start = self.first_of(inner).map(|e| self.flow.element(e).number);
        if let Some(last) = self.flow.sequence(inner).last {
            self.flow.element_mut(last).next = next;
        }
        self.rows[number] = Row::Starts(start.into_iter().collect());
        self.sequence(inner);
    }

    fn dstep(&mut self, id: ElementId) {
        let element = self.flow.element(id);
        let (number, next) = (element.number as usize, element.next);
        let (span, atomic) = (element.span, element.atomic);
        let Some(inner) = element.inner else { return };
        self.patch_jumps(inner);
        if let Some(last) = self.flow.sequence(inner).last {
            self.flow.element_mut(last).next = next;
        }
        let compiled = DStepCompiler::compile(self.flow, inner, span, self.diagnostics);
        self.model.dsteps.push(compiled);
        let row = self.model.dsteps.len() as u32 - 1;
        let target = next.map_or(0, |next| self.hunt_number(next, atomic));
        self.flow.element_mut(id).node = Node::Basic(Action::DStep(row));
        self.way(id, number, target);
    }

    fn basic(&mut self, id: ElementId) {
        let element = self.flow.element(id);
        let (number, atomic, next) = (element.number as usize, element.atomic, element.next);
        let target = match &element.node {
            Node::Jump(jump) => match self.flow.destination(jump) {
                Some(to) => {
                    self.check_dstep_border(id, to);
                    self.hunt_number(to, atomic)
                }
                // Reported when the body was read.
                None => 0,
            },
            _ => next.map_or(0, |next| self.hunt_number(next, atomic)),
        };
        self.way(id, number, target);
    }

    /// The single way out of a basic element, with the escapes that cover it.
    fn way(&mut self, id: ElementId, number: usize, target: u32) {
        let element = self.flow.element(id);
        let atomic = element.atomic;
        let escapes = match element.node {
            Node::Join => Vec::new(),
            _ => element.escapes.clone(),
        };
        let starts = escapes
            .iter()
            .filter_map(|&escape| self.flow.sequence(escape).first)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|first| self.hunt_number(first, atomic))
            .collect();
        self.rows[number] = Row::Options(vec![Way {
            element: id,
            target,
            escapes: starts,
            escape: 0,
        }]);
        for escape in escapes {
            self.sequence(escape);
        }
    }

    /// A jump out of an atomic ends it; a jump from its end into an atomic prolongs it.
    fn patch_jumps(&mut self, id: SequenceId) {
        let sequence = *self.flow.sequence(id);
        for element in self.flow.walk(sequence.first, sequence.extent) {
            if let Node::Jump(jump) = &self.flow.element(element).node {
                let Some(to) = self.flow.destination(jump) else {
                    continue;
                };
                self.check_dstep_border(element, to);
                let there = self.flow.element(to);
                let there = there.atomic || there.last_atomic;
                let here = self.flow.element_mut(element);
                if here.atomic && !there {
                    here.atomic = false;
                    here.last_atomic = true;
                }
                if here.last_atomic && there {
                    here.last_atomic = false;
                    here.atomic = true;
                }
            } else {
                for sub in self.flow.element(element).sub.clone() {
                    self.patch_jumps(sub);
                }
            }
        }
    }

    fn check_dstep_border(&mut self, from: ElementId, to: ElementId) {
        let (from, to) = (self.flow.element(from), self.flow.element(to));
        // A `break` out of the outermost loop of a d_step ends the d_step.
        if from.dstep != to.dstep && !matches!(to.node, Node::Break) {
            let span = from.span;
            let direction = if to.dstep { "into" } else { "out of" };
            self.diagnostics.push(
                Diagnostic::error(span, format!("jump {direction} a d_step sequence")).help(
                    "a d_step is one step: enter it at its first statement and leave it at its \
                     last",
                ),
            );
        }
    }

    /// The first statement of an option or block, joins and main sequences looked through.
    fn first_of(&self, id: SequenceId) -> Option<ElementId> {
        let mut at = self.flow.sequence(id).first?;
        for _ in 0..CHAIN {
            let element = self.flow.element(at);
            at = match element.node {
                Node::Join if element.next.is_some() => element.next?,
                Node::Unless => self.flow.sequence(element.sub[0]).first?,
                _ => return Some(at),
            };
        }
        Some(at)
    }

    fn hunt_number(&mut self, from: ElementId, atomic: bool) -> u32 {
        let found = self.hunt(from, atomic);
        self.flow.element(found).number
    }

    /// The control state reached by going to an element: jumps and joins cost nothing,
    /// except where the way leads out of an atomic.
    fn hunt(&mut self, from: ElementId, atomic: bool) -> ElementId {
        let mut at = from;
        for _ in 0..CHAIN {
            let element = self.flow.element(at);
            let to = match &element.node {
                Node::Jump(jump) => self.flow.destination(jump),
                Node::Join | Node::Break => element.next,
                Node::Unless => {
                    let main = self.flow.sequence(element.sub[0]).first;
                    main.map(|main| self.hunt(main, atomic))
                }
                _ => return at,
            };
            let Some(to) = to else { return at };
            if atomic && !self.flow.element(to).atomic {
                return at;
            }
            at = to;
        }
        let span = self.flow.element(from).span;
        self.diagnostics.push(
            Diagnostic::error(span, "these gotos form a cycle without a statement")
                .help("put a statement such as `skip` between the label and the goto"),
        );
        from
    }

    fn label_flags(&mut self) {
        for label in self.flow.labels.iter() {
            let flags = &mut self.flags[self.flow.element(label.element).number as usize];
            flags.end |= label.name.starts_with("end");
            flags.progress |= label.name.starts_with("progress");
            flags.accept |= label.name.starts_with("accept");
        }
        for element in &self.flow.elements {
            if matches!(element.node, Node::Stop) {
                self.flags[element.number as usize].end = true;
            }
        }
    }

    /// Replace starts that are compound themselves by their starts, until none is left.
    fn flatten_starts(&mut self) {
        // Each round goes one level deeper, and there are no more levels than rows.
        for _ in 0..self.rows.len() {
            let mut again = false;
            for row in 1..self.rows.len() {
                space::cancel::poll();
                let Row::Starts(starts) = &self.rows[row] else {
                    continue;
                };
                let compound = |start: &u32| self.is_compound(*start);
                if !starts.iter().any(compound) {
                    continue;
                }
                let mut flat = Vec::new();
                for &start in starts {
                    match &self.rows[start as usize] {
                        Row::Starts(inner) if !inner.is_empty() && start as usize != row => {
                            again = true;
                            for &inner in inner {
                                let passed = self.flags[start as usize];
                                self.flags[inner as usize].add(passed);
                                flat.push(inner);
                            }
                        }
                        _ => flat.push(start),
                    }
                }
                self.rows[row] = Row::Starts(flat);
            }
            if !again {
                break;
            }
        }
    }

    fn is_compound(&self, row: u32) -> bool {
        matches!(&self.rows[row as usize], Row::Starts(starts) if !starts.is_empty())
    }

    /// Replace the starts of compound statements by the statements found there.
    fn starts_to_options(&mut self) {
        for row in 1..self.rows.len() {
            let Row::Starts(starts) = &self.rows[row] else {
                continue;
            };
            let mut options = Vec::new();
            for start in starts.clone() {
                space::cancel::poll();
                if let Row::Options(ways) = &self.rows[start as usize]
                    && let Some(way) = ways.first()
                {
                    let passed = self.flags[start as usize];
                    self.flags[way.target as usize].add(passed);
                    options.push(way.clone());
                }
            }
            self.rows[row] = Row::Options(options);
        }
    }

    /// Put the options of escapes in front of what they cover.
    fn prepend_escapes(&mut self) {
        for row in 1..self.rows.len() {
            let Row::Options(ways) = &self.rows[row] else {
                continue;
            };
            let ways = ways.clone();
            if ways.iter().all(|way| way.escapes.is_empty()) {
                continue;
            }
            let mut all = ways.clone();
            let mut known: HashSet<ElementId> = ways.iter().map(|way| way.element).collect();
            for way in ways {
                space::cancel::poll();
                for &escape in way.escapes.iter().rev() {
                    let covering = if escape as usize == row {
                        all.clone()
                    } else {
                        match &self.rows[escape as usize] {
                            Row::Options(ways) => ways.clone(),
                            _ => continue,
                        }
                    };
                    for option in covering {
                        if known.insert(option.element) {
                            all.insert(0, Way { escape, ..option });
                        }
                    }
                }
            }
            self.rows[row] = Row::Options(all);
        }
    }

    /// A process may also stop where it only has to pass a join.
    fn pass_on_ends(&mut self) {
        for row in 1..self.rows.len() {
            if let Row::Options(ways) = &self.rows[row]
                && let [way] = ways.as_slice()
                && matches!(self.flow.element(way.element).node, Node::Join)
                && self.flags[row].end
            {
                self.flags[way.target as usize].end = true;
            }
        }
    }

    /// What Spin's verifier refuses to start on.
    fn check_rows(&mut self) {
        for row in 1..self.rows.len() {
            let Row::Options(ways) = &self.rows[row] else {
                continue;
            };
            let node = |way: &Way| &self.flow.element(way.element).node;
            let idle = ways.iter().find(|way| {
                !self.claim && way.target as usize == row && matches!(node(way), Node::Skip)
            });
            if let Some(way) = idle {
                let span = self.flow.element(way.element).span;
                self.diagnostics.push(
                    Diagnostic::error(span, "this loop runs forever without any effect")
                        .help("give the option a guard or an effect, or remove it"),
                );
            }
            let elses: Vec<Span> = ways
                .iter()
                .filter(|way| matches!(node(way), Node::Else))
                .map(|way| self.flow.element(way.element).span)
                .collect();
            if let [first, second, ..] = elses[..] {
                self.diagnostics.push(
                    Diagnostic::error(second, "more than one else in an if or do")
                        .note(first, "the other else")
                        .help(
                            "an if or do at the start of an option is merged into the enclosing \
                             one; put a statement before it, or use a single else",
                        ),
                );
            }
        }
    }

    /// Write states and transitions into the model.
    fn finish(self, top: SequenceId) {
        let mut ids: Vec<Option<TransitionId>> = vec![None; self.flow.elements.len()];
        let mut states = vec![ControlState::default(); self.rows.len()];
        for (row, state) in states.iter_mut().enumerate().skip(1) {
            space::cancel::poll();
            let flags = self.flags[row];
            state.end = flags.end;
            state.progress = flags.progress;
            state.accept = flags.accept;
            let Row::Options(ways) = &self.rows[row] else {
                continue;
            };
            for way in ways {
                let element = self.flow.element(way.element);
                let id = *ids[way.element.0 as usize].get_or_insert_with(|| {
                    self.model.transitions.push(Transition {
                        proctype: self.proctype,
                        action: action_of(&element.node),
                        target: ControlId(way.target),
                        atomic: element.atomic,
                        control: ControlId(element.number),
                        spin_id: element.unique,
                        location: element.location,
                        call: element.call,
                        text: element.text.clone(),
                        resets: Vec::new(),
                    });
                    TransitionId(self.model.transitions.len() as u32 - 1)
                });
                state.options.push(OptionEntry {
                    transition: id,
                    escape: ControlId(way.escape),
                });
            }
        }
        let first = self.flow.sequence(top).first;
        let mut automaton = self;
        let initial = first.map_or(0, |first| {
            let atomic = automaton.flow.element(first).atomic;
            automaton.hunt_number(first, atomic)
        });
        let labels = automaton
            .flow
            .labels
            .iter()
            .map(|label| {
                let number = automaton.flow.element(label.element).number;
                (label.name.clone(), ControlId(number))
            })
            .collect();
        let proctype = &mut automaton.model.proctypes[automaton.proctype.index()];
        proctype.states = states;
        proctype.initial = ControlId(initial);
        proctype.labels = labels;
    }
}

fn action_of(node: &Node) -> Action {
    match node {
        Node::Basic(action) => action.clone(),
        Node::Else => Action::Else,
        Node::Stop => Action::End,
        Node::Never => super::dstep::never(),
        _ => Action::Skip,
    }
}
