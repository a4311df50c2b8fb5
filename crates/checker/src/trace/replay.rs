//! Executing a trace again, in the interpreter.

use std::fmt;

use model::{Action, Interp, Model, Transfer, TransferKind};
use space::{Control, NextState, Step, Trace, Violation, ViolationKind};

use super::node::{Choice, Choices, Node, WhyNot, choices, process_name, statement, why_not};

/// One executed step.
#[derive(Clone, Debug)]
pub struct Executed {
    /// The step.
    pub step: Step,
    /// It was made inside an atomic sequence that had begun before.
    pub exclusive: bool,
    /// Where it led; `None` if it could not be completed.
    pub after: Option<Node>,
    /// What it printed.
    pub output: String,
    /// The messages it sent and saw; a handshake is one that is received.
    pub transfers: Vec<Transfer>,
    /// What it broke.
    pub violation: Option<Violation>,
    /// What else it broke.
    pub further: Vec<Violation>,
}

impl Executed {
    /// The messages that one half of the step sent and saw: 0 is the process itself, 1 the
    /// receiver of a handshake.
    pub fn transfers_of(&self, half: usize) -> Vec<Transfer> {
        if half > 0 || self.step.partner.is_none() {
            return self.transfers.clone();
        }
        let offer = self.transfers.first().cloned();
        let sent = |transfer| Transfer {
            kind: TransferKind::Sent,
            ..transfer
        };
        offer.into_iter().map(sent).collect()
    }
}

/// How things stand behind the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Somebody can move.
    Running,
    /// Nobody can move, and everybody may stop.
    Valid,
    /// Nobody can move, and somebody may not stop.
    Invalid,
    /// The last step could not be completed, or the next one cannot even be looked for.
    Fault,
}

/// An executed trace.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The initial state; empty if making it raised an error.
    pub initial: Vec<u8>,
    /// The steps.
    pub steps: Vec<Executed>,
    /// What the last step broke; else what is wrong with the state behind it.
    pub violation: Option<Violation>,
    /// How things stand behind the last step.
    pub end: End,
}

impl Replayed {
    /// The state before a step, counted from 0.
    pub fn before(&self, index: usize) -> &[u8] {
        let previous = index.checked_sub(1).and_then(|i| self.steps.get(i));
        match previous {
            Some(step) => step.after.as_ref().map_or(&[], |node| &node.state),
            None => &self.initial,
        }
    }

    /// The state after a step, counted from 0; empty if it could not be completed.
    pub fn after(&self, index: usize) -> &[u8] {
        let node = self.steps.get(index).and_then(|step| step.after.as_ref());
        node.map_or(&[], |node| &node.state)
    }

    /// The last state that was reached.
    pub fn last_state(&self) -> &[u8] {
        let mut reached = self.steps.iter().rev().filter_map(|s| s.after.as_ref());
        reached.next().map_or(&self.initial, |node| &node.state)
    }

    /// Whether the sequence of atomic steps goes on behind a step, counted from 0.
    pub fn continues(&self, index: usize) -> bool {
        self.steps.get(index + 1).is_some_and(|next| next.exclusive)
    }

    /// The violation of this kind (by its name in reports) that the trace ends in.
    pub fn violation_of(&self, kind: &str) -> Option<Violation> {
        let last = self.steps.last().and_then(|step| step.violation);
        let stuck = (self.end == End::Invalid).then(|| ViolationKind::InvalidEndState.into());
        let further = self.steps.last().map_or(&[][..], |step| &step.further);
        let found = [last, self.violation, stuck].into_iter().flatten();
        let mut found = found.chain(further.iter().copied());
        found.find(|violation| violation.kind.name() == kind)
    }
}

/// Why a trace cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The step, counted from 1; 0 for the initial state.
    pub step: usize,
    /// What is wrong, without a full stop.
    pub message: String,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => f.write_str(&self.message),
            step => write!(f, "step {step}: {}", self.message),
        }
    }
}

impl std::error::Error for ReplayError {}

/// A run that is being made, step by step.
pub struct Run<'m> {
    interp: Interp<'m>,
    /// There is an initial state.
    begun: bool,
    done: Replayed,
    next: Choices,
}

impl<'m> Run<'m> {
    /// A run that stands in the initial state.
    pub fn new(model: &'m Model) -> Run<'m> {
        let mut interp = Interp::new(model);
        interp.capture_output();
        interp.capture_transfers();
        let (initial, violation) = match interp.initial() {
            Ok(state) => (state, None),
            Err(violation) => (Vec::new(), Some(violation)),
        };
        let mut run = Run {
            interp,
            begun: violation.is_none(),
            done: Replayed {
                initial,
                steps: Vec::new(),
                violation,
                end: End::Fault,
            },
            next: Choices::default(),
        };
        if run.begun {
            run.look_ahead();
        }
        run
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.interp.model()
    }

    /// The run as it stands.
    pub fn done(&self) -> &Replayed {
        &self.done
    }

    /// The steps that lead on.
    pub fn choices(&self) -> &Choices {
        &self.next
    }

    /// Where the run stands; `None` behind a step that could not be completed.
    pub fn node(&self) -> Option<Node> {
        match self.done.steps.last() {
            Some(step) => step.after.clone(),
            None => self.begun.then(|| Node {
                state: self.done.initial.clone(),
                control: Control::Free,
            }),
        }
    }

    /// Take one of the choices. One without a step leads nowhere.
    pub fn take(&mut self, index: usize) {
        let Some(choice) = self.next.list.get(index).cloned() else {
            return;
        };
        if let Some(step) = choice.step {
            self.done.steps.push(Executed {
                step,
                exclusive: self.next.is_exclusive(),
                after: choice.after,
                output: choice.output,
                transfers: choice.transfers,
                violation: choice.violation,
                further: choice.further,
            });
            self.look_ahead();
        }
    }

    /// Take the last step back, if there is one.
    pub fn back(&mut self) -> bool {
        let taken = self.done.steps.pop().is_some();
        if taken {
            self.look_ahead();
        }
        taken
    }

    /// Make a step, or say why it cannot be made.
    pub fn step(&mut self, step: Step) -> Result<(), ReplayError> {
        let found = self.next.list.iter().position(|c| c.step == Some(step));
        match found {
            Some(index) => {
                self.take(index);
                Ok(())
            }
            None => Err(self.refuse(step)),
        }
    }

    /// Why a step cannot be made.
    pub fn refuse(&self, step: Step) -> ReplayError {
        let error = |message: String| ReplayError {
            step: self.done.steps.len() + 1,
            message,
        };
        let Some(node) = self.node() else {
            let kind = self.done.violation.map(|v| format!(": {}", v.kind));
            let kind = kind.unwrap_or_default();
            return error(format!("the run ended before this step{kind}"));
        };
        let offers = |choice: &Choice| {
            choice
                .step
                .is_some_and(|s| (s.pid, s.transition) == (step.pid, step.transition))
        };
        let ready = self.next.list.iter().any(offers);
        let (pid, transition) = match step.partner {
            Some(receiver) if ready => receiver,
            _ => (step.pid, step.transition),
        };
        let name = process_name(self.model(), &node.state, pid);
        let Some(wanted) = statement(self.model(), transition) else {
            let id = transition.0;
            return error(format!("the model has no transition {id} for {name}"));
        };
        let why = why_not(self.model(), &node, &self.next, pid, transition);
        let why = match (why, step.partner) {
            (_, None) if ready => "it is one half of a handshake".to_owned(),
            (WhyNot::Blocked, Some(_)) if ready => {
                "it does not accept the message offered".to_owned()
            }
            (WhyNot::Blocked, _) if matches!(wanted.action, Action::Send { .. }) => {
                "the channel is full, or no process receives the message".to_owned()
            }
            (why, _) => why.to_string(),
        };
        error(format!("{name} cannot execute `{}`: {why}", wanted.text))
    }

    /// The executed run.
    pub fn finish(self) -> Replayed {
        self.done
    }

    /// Find the steps that lead on, and what is to be said about where the run stands.
    fn look_ahead(&mut self) {
        let node = self.node();
        self.next = match &node {
            Some(node) => choices(&mut self.interp, node),
            None => Choices::default(),
        };
        self.done.end = match &node {
            None => End::Fault,
            Some(node) if self.interp.is_stuck(&node.state) => {
                match self.interp.is_valid_end(&node.state) {
                    true => End::Valid,
                    false => End::Invalid,
                }
            }
            Some(_) if self.next.list.iter().any(|c| c.step.is_some()) => End::Running,
            Some(_) => End::Fault,
        };
        let last = self.done.steps.last().and_then(|step| step.violation);
        let stuck = (self.done.end == End::Invalid).then(|| ViolationKind::InvalidEndState.into());
        self.done.violation = last.or_else(|| self.next.fault()).or(stuck);
    }
}

/// Execute a trace, step by step.
pub fn replay(model: &Model, trace: &Trace) -> Result<Replayed, ReplayError> {
    let mut run = Run::new(model);
    for &step in &trace.steps {
        run.step(step)?;
    }
    Ok(run.finish())
}
