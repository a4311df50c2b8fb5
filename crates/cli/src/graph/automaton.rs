//! What is drawn of a proctype: its control states and the statements between them.

use std::collections::VecDeque;

use model::{Action, ControlId, Location, Model, OptionEntry, ProcessKind, Proctype};

/// The control-flow graph of a proctype, as far as it can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The proctype's name.
    pub name: String,
    /// What it is, as in the source: `proctype P`, `init`, `never`.
    pub title: String,
    /// Where it stands, as `file:line`.
    pub location: String,
    /// The states, in the order of their numbers; the end of the process, if it is
    /// reached, is the last one.
    pub states: Vec<State>,
    /// The row of the state where a process starts.
    pub initial: usize,
    /// The statements, in the order of states and options.
    pub steps: Vec<Step>,
}

/// A control state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Spin's number; 0 for the end of the process.
    pub control: ControlId,
    /// The labels of the source that stand here.
    pub labels: Vec<String>,
    /// A process may stop here.
    pub end: bool,
    /// Being here is progress.
    pub progress: bool,
    /// Being here infinitely often accepts.
    pub accept: bool,
    /// Where the first statement stands that can be executed here, as `file:line`.
    pub location: Option<String>,
}

/// A statement between two control states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The row of the state it leaves.
    pub source: usize,
    /// The row of the state it leads to.
    pub target: usize,
    /// How it keeps others from interleaving.
    pub kind: StepKind,
    /// It is the way into the escape sequence of an `unless`.
    pub escape: bool,
    /// Its text.
    pub text: String,
    /// Where it stands, as `file:line`.
    pub location: String,
}

/// How a statement keeps others from interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// Not at all.
    Plain,
    /// The process keeps exclusive control afterwards.
    Atomic,
    /// A whole `d_step` sequence.
    DStep,
}

impl State {
    /// Whether this is not a state of the process but its end.
    pub fn is_gone(&self) -> bool {
        self.control == ControlId(0)
    }

    /// The labels as they stand in the source, one in a line.
    pub fn label_lines(&self) -> Vec<String> {
        self.labels
            .iter()
            .map(|label| format!("{label}:"))
            .collect()
    }
}

impl Automaton {
    /// The automata of all proctypes of a model, in the order of the text.
    pub fn all(model: &Model) -> Vec<Automaton> {
        let drawable = |p: &&Proctype| p.states.len() > p.initial.index();
        let proctypes = model.proctypes.iter().filter(drawable);
        proctypes.map(|p| Automaton::new(model, p)).collect()
    }

    /// The automaton of a proctype.
    pub fn new(model: &Model, proctype: &Proctype) -> Automaton {
        let rows = Rows::reachable(model, proctype);
        let mut states = Vec::new();
        let mut steps = Vec::new();
        for &control in &rows.order {
            states.push(state(model, proctype, control));
            for option in options(proctype, control) {
                let transition = model.transition(option.transition);
                let kind = match transition.action {
                    Action::DStep(_) => StepKind::DStep,
                    _ if transition.atomic => StepKind::Atomic,
                    _ => StepKind::Plain,
                };
                steps.push(Step {
                    source: rows.row(control),
                    target: rows.row(transition.target),
                    kind,
                    escape: option.escape != ControlId(0),
                    text: transition.text.clone(),
                    location: line(model, transition.location),
                });
            }
        }
        Automaton {
            name: proctype.name.clone(),
            title: title(proctype),
            location: line(model, proctype.location),
            states,
            initial: rows.row(proctype.initial),
            steps,
        }
    }
}

impl Automaton {
    /// The least number of statements from the initial state to each state.
    pub fn distances(&self) -> Vec<usize> {
        let mut targets = vec![Vec::new(); self.states.len()];
        for step in &self.steps {
            targets[step.source].push(step.target);
        }
        let mut distances = vec![usize::MAX; self.states.len()];
        distances[self.initial] = 0;
        let mut queue = VecDeque::from([self.initial]);
        while let Some(state) = queue.pop_front() {
            for &target in &targets[state] {
                if distances[target] == usize::MAX {
                    distances[target] = distances[state] + 1;
                    queue.push_back(target);
                }
            }
        }
        distances
    }
}

/// The reachable control states in the order they are drawn, and the way back.
struct Rows {
    order: Vec<ControlId>,
    row_of: Vec<usize>,
}

impl Rows {
    fn reachable(model: &Model, proctype: &Proctype) -> Rows {
        let mut seen = vec![false; proctype.states.len().max(1)];
        seen[proctype.initial.index()] = true;
        let mut queue = VecDeque::from([proctype.initial]);
        while let Some(control) = queue.pop_front() {
            for option in options(proctype, control) {
                let target = model.transition(option.transition).target;
                if !std::mem::replace(&mut seen[target.index()], true) {
                    queue.push_back(target);
                }
            }
        }
        let numbers = (1..seen.len()).chain([0]);
        let order: Vec<ControlId> = numbers
            .filter(|&number| seen[number])
            .map(|number| ControlId(number as u32))
            .collect();
        let mut row_of = vec![usize::MAX; seen.len()];
        for (row, control) in order.iter().enumerate() {
            row_of[control.index()] = row;
        }
        Rows { order, row_of }
    }

    fn row(&self, control: ControlId) -> usize {
        self.row_of[control.index()]
    }
}

/// The ways out of a state; the end of the process has none.
fn options(proctype: &Proctype, control: ControlId) -> &[OptionEntry] {
    match control {
        ControlId(0) => &[],
        _ => &proctype.states[control.index()].options,
    }
}

fn state(model: &Model, proctype: &Proctype, control: ControlId) -> State {
    let options = options(proctype, control);
    let own = options.iter().find(|option| option.escape == ControlId(0));
    let location = own
        .or(options.first())
        .map(|option| line(model, model.transition(option.transition).location));
    let labels = proctype.labels.iter().filter(|(_, at)| *at == control);
    let flags = match control {
        ControlId(0) => None,
        _ => proctype.states.get(control.index()),
    };
    State {
        control,
        labels: labels.map(|(name, _)| name.clone()).collect(),
        end: flags.is_some_and(|state| state.end),
        progress: flags.is_some_and(|state| state.progress),
        accept: flags.is_some_and(|state| state.accept),
        location,
    }
}

fn title(proctype: &Proctype) -> String {
    let name = &proctype.name;
    match proctype.kind {
        ProcessKind::Proctype => format!("proctype {name}"),
        ProcessKind::Init => "init".to_owned(),
        ProcessKind::Never if name == "never" => name.clone(),
        ProcessKind::Never => format!("never {name}"),
        ProcessKind::Trace => "trace".to_owned(),
        ProcessKind::NoTrace => "notrace".to_owned(),
    }
}

fn line(model: &Model, location: Location) -> String {
    let file = model.files.get(location.file.index());
    let file = file.map_or("-", String::as_str);
    format!("{file}:{}", location.line)
}
