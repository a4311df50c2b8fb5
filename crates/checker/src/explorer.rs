//! Walking through the states of a model by hand.
//!
//! ```
//! use checker::{Explorer, Source, load};
//!
//! let text = "byte x; active proctype P() { x < 2; x = 5; x > 7 }";
//! let loaded = load::load(&Source::text("m.pml", text)).expect("a good model");
//! let mut explorer = Explorer::new(&loaded);
//! let mut state = explorer.initial().expect("a state");
//! while let Some(next) = explorer.steps(&state).into_iter().find_map(|step| step.target) {
//!     state = next;
//! }
//! let values = explorer.values(&state);
//! assert_eq!((values[0].name.as_str(), values[0].value.as_str()), ("x", "5"));
//! let blocked = explorer.processes(&state)[0].blocked.clone();
//! assert_eq!(blocked.as_deref(), Some("`x > 7` is not executable (x = 5)"));
//! ```

use model::show::{self, Change, Item};
use model::{Interp, LivenessKind, Model, Sight};
use space::{Control, NextState, Step, TransitionId, Violation, ViolationKind};

use crate::load::Loaded;
use crate::property::{Property, safety_properties};
use crate::trace::node::{Choice, Choices, Node, choices, process_name};

/// A place in an execution: a state, or a node inside an atomic sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State(Node);

impl State {
    /// The state vector. Two states are the same if their vectors are and neither
    /// [is atomic](State::is_atomic).
    pub fn vector(&self) -> &[u8] {
        &self.0.state
    }

    /// Whether a process is inside an atomic sequence, so that it moves first.
    pub fn is_atomic(&self) -> bool {
        self.0.control != Control::Free
    }
}

/// A step that is enabled in a state.
#[derive(Clone, Debug)]
pub struct EnabledStep {
    /// The step, for [`Explorer::successor`]. None for an error that is met before any statement
    /// is tried.
    pub step: Option<Step>,
    /// The process that moves, as `P(1)`.
    pub process: String,
    /// The statement.
    pub text: String,
    /// Where it stands, as `file:line:column`.
    pub location: String,
    /// In a rendezvous, the process that receives and its statement.
    pub receiver: Option<(String, String)>,
    /// What the step changes, one text for each change, as `x: 1 → 2`.
    pub effect: Vec<String>,
    /// What it prints.
    pub output: String,
    /// The properties it violates.
    pub violates: Vec<String>,
    /// Where it leads; nowhere if it cannot be completed.
    pub target: Option<State>,
}

/// A process of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its pid.
    pub pid: u8,
    /// Its name, as `P(1)`.
    pub name: String,
    /// Where it stands, as `file:line:column`; none at its closing brace.
    pub location: Option<String>,
    /// What it can do next, once that is executable.
    pub statements: Vec<String>,
    /// Whether it may stop here.
    pub may_stop: bool,
    /// Why it cannot move; none if it can.
    pub blocked: Option<String>,
}

/// What a state says about a property, or about a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// A safety property, or a condition of a formula.
    pub name: String,
    /// Whether it holds in the state; none if evaluating it is an error.
    pub holds: Option<bool>,
}

/// Walks through the states of a model.
pub struct Explorer<'m> {
    model: &'m Model,
    interp: Interp<'m>,
    safety: Vec<Property>,
}

impl<'m> Explorer<'m> {
    /// An explorer of a model.
    pub fn new(loaded: &'m Loaded) -> Explorer<'m> {
        let model = &loaded.model;
        let mut interp = Interp::new(model);
        interp.capture_output();
        Explorer {
            model,
            interp,
            safety: safety_properties(model),
        }
    }

    /// The initial state, or the property that making it violates.
    pub fn initial(&mut self) -> Result<State, String> {
        match self.interp.initial() {
            Ok(state) => Ok(State(Node {
                state,
                control: Control::Free,
            })),
            Err(violation) => Err(self.describe(&violation)),
        }
    }

    /// The enabled steps of a state, in Spin's order.
    pub fn steps(&mut self, state: &State) -> Vec<EnabledStep> {
        let found = choices(&mut self.interp, &state.0);
        let steps = found.list.into_iter();
        steps.map(|choice| self.enabled(state, choice)).collect()
    }

    /// The state that a step leads to, if it is enabled and can be completed.
    pub fn successor(&mut self, state: &State, step: Step) -> Option<State> {
        let found = choices(&mut self.interp, &state.0);
        let choice = found.find(step)?;
        choice.after.clone().map(State)
    }

    /// The variables, channels and processes of a state with their values, in the order of their
    /// declarations.
    pub fn values(&self, state: &State) -> Vec<Item> {
        show::items(self.model, &state.0.state)
    }

    /// The processes of a state, and why those that cannot move are blocked.
    pub fn processes(&mut self, state: &State) -> Vec<Process> {
        let found = choices(&mut self.interp, &state.0);
        let moves = |pid: u8| {
            let mut steps = found.list.iter().filter_map(|choice| choice.step);
            steps.any(|s| s.pid.0 == pid || s.partner.is_some_and(|(other, _)| other.0 == pid))
        };
        let standing = show::standing(self.model, &state.0.state).into_iter();
        standing
            .map(|standing| {
                let first = standing.options.first().filter(|_| !standing.ended);
                let text = |&id: &TransitionId| self.model.transition(id).text.clone();
                Process {
                    location: first.map(|&id| self.locate(id)),
                    statements: standing.options.iter().map(text).collect(),
                    blocked: (!moves(standing.pid)).then(|| self.blocked(state, &found, &standing)),
                    pid: standing.pid,
                    name: standing.process,
                    may_stop: standing.may_stop,
                }
            })
            .collect()
    }

    /// What a state says about the properties of the model: whether it is a valid end if nothing
    /// is enabled, and which conditions of the formulas hold in it. Assertions are violated by
    /// [steps](EnabledStep::violates).
    pub fn properties(&mut self, state: &State) -> Vec<Holding> {
        let vector = &state.0.state;
        let stuck = self.interp.is_stuck(vector);
        let valid = !stuck || self.interp.is_valid_end(vector);
        let mut list = vec![Holding {
            name: "invalid end states".to_owned(),
            holds: Some(valid),
        }];
        let sight = Sight {
            timeout: self.interp.waits_for_timeout(vector),
            ended: stuck,
        };
        self.interp.load(vector);
        for property in &self.model.liveness {
            let LivenessKind::Formula(formula) = &property.kind else {
                continue;
            };
            for atom in &formula.atoms {
                let value = self.interp.observe_value(vector, sight, atom.expr);
                list.push(Holding {
                    name: format!("{}: {}", property.name, atom.text),
                    holds: value.ok().map(|value| value != 0),
                });
            }
        }
        list
    }

    fn enabled(&self, state: &State, choice: Choice) -> EnabledStep {
        let vector = &state.0.state;
        let text = |id: TransitionId| self.model.transition(id).text.clone();
        let name = |pid| process_name(self.model, vector, pid);
        let after = choice.after.as_ref().map_or(&[][..], |node| &node.state);
        let violations = choice.violation.iter().chain(&choice.further);
        EnabledStep {
            step: choice.step,
            process: choice.step.map_or_else(String::new, |s| name(s.pid)),
            text: choice.step.map_or_else(String::new, |s| text(s.transition)),
            location: choice
                .step
                .map_or_else(String::new, |s| self.locate(s.transition)),
            receiver: (choice.step.and_then(|step| step.partner))
                .map(|(pid, id)| (name(pid), text(id))),
            effect: show::changes(self.model, vector, after)
                .into_iter()
                .map(|change| self.effect(vector, change))
                .collect(),
            violates: violations
                .map(|violation| self.describe(violation))
                .collect(),
            output: choice.output,
            target: choice.after.map(State),
        }
    }

    fn effect(&self, before: &[u8], change: Change) -> String {
        match change {
            Change::Start { process, .. } => format!("{process} starts"),
            Change::Value(new) => {
                let old = show::items(self.model, before).into_iter();
                let old = old.into_iter().find(|item| item.name == new.name);
                match old {
                    Some(old) => format!("{}: {} → {}", new.name, old.value, new.value),
                    None => format!("{} = {}", new.name, new.value),
                }
            }
        }
    }

    /// Why a process cannot move.
    fn blocked(&self, state: &State, found: &Choices, standing: &show::Standing) -> String {
        let vector = &state.0.state;
        match found.control {
            Control::Exclusive(owner) if owner.0 != standing.pid => {
                let owner = process_name(self.model, vector, owner);
                return format!("{owner} is inside an atomic sequence and has exclusive control");
            }
            _ if standing.ended => {
                return "it has terminated, and waits for younger processes to terminate"
                    .to_owned();
            }
            _ => {}
        }
        let waits = standing.options.iter().map(|&id| {
            let items = show::mentioned(self.model, vector, standing.pid, id).into_iter();
            let values: Vec<String> = items
                .map(|item| format!("{} = {}", item.name, item.value))
                .collect();
            let text = &self.model.transition(id).text;
            match values.is_empty() {
                true => format!("`{text}` is not executable"),
                false => format!("`{text}` is not executable ({})", values.join(", ")),
            }
        });
        waits.collect::<Vec<_>>().join("; ")
    }

    /// The property that a violation is one of.
    fn describe(&self, violation: &Violation) -> String {
        let concerned = self.safety.iter().find(|p| p.concerns(violation));
        match (concerned, violation.kind) {
            (Some(property), ViolationKind::Assertion) => property.title(),
            (Some(property), kind) => format!("{}: {kind}", property.title()),
            (None, kind) => kind.to_string(),
        }
    }

    fn locate(&self, id: TransitionId) -> String {
        self.model.locate(self.model.transition(id).location)
    }
}
