//! A place in an execution, and the steps that lead on from it.

use std::fmt;

use model::show;
use model::{Advance, Call, Cursor, Interp, Location, Model, Successor, Transfer};
use space::{Control, Pid, Step, TransitionId, Violation};

/// A state vector and who may move in it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Node {
    /// The state vector.
    pub state: Vec<u8>,
    /// Who may move.
    pub control: Control,
}

/// A step that can be taken from a node.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The step; `None` when an error is met before any statement is tried.
    pub step: Option<Step>,
    /// Where it leads; `None` for a step that cannot be completed.
    pub after: Option<Node>,
    /// What executing it breaks.
    pub violation: Option<Violation>,
    /// What else it breaks.
    pub further: Vec<Violation>,
    /// What it prints.
    pub output: String,
    /// The messages it sends and sees.
    pub transfers: Vec<Transfer>,
}

/// All steps that can be taken from a node.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The steps, in Spin's order.
    pub list: Vec<Choice>,
    /// Who may really move: a process whose atomic sequence blocks has lost control.
    pub control: Control,
}

impl Choices {
    /// The choice of a step.
    pub fn find(&self, step: Step) -> Option<&Choice> {
        self.list.iter().find(|choice| choice.step == Some(step))
    }

    /// The error that is met before any statement is tried, if there is one.
    pub fn fault(&self) -> Option<Violation> {
        let stuck = self.list.iter().find(|choice| choice.step.is_none());
        stuck.and_then(|choice| choice.violation)
    }

    /// Whether the steps are those of a process inside an atomic sequence.
    pub fn is_exclusive(&self) -> bool {
        matches!(self.control, Control::Exclusive(_))
    }
}

/// The steps that lead on from a node, as [`Interp::steps`] finds them, each with what it
/// prints and the messages in it. The interpreter must capture both.
pub fn choices(interp: &mut Interp<'_>, node: &Node) -> Choices {
    let mut control = node.control;
    loop {
        let list = choices_under(interp, &node.state, control);
        if list.is_empty() && control != Control::Free {
            control = Control::Free;
            continue;
        }
        return Choices { list, control };
    }
}

fn choices_under(interp: &mut Interp<'_>, state: &[u8], control: Control) -> Vec<Choice> {
    let mut list = Vec::new();
    let mut cursor = Cursor::default();
    let mut next = Successor::default();
    loop {
        interp.take_output();
        interp.take_transfers();
        let advance = interp.advance(state, control, &mut cursor, &mut next);
        let after = match advance {
            Advance::Step => Some(Node {
                state: next.state.clone(),
                control: next.control,
            }),
            Advance::Fault => None,
            Advance::Offer => continue,
            Advance::Exhausted { .. } => return list,
        };
        list.push(Choice {
            step: next.step,
            after,
            violation: next.violation,
            further: next.further.clone(),
            output: interp.take_output(),
            transfers: interp.take_transfers(),
        });
    }
}

/// Why a process cannot execute a statement at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// There is no such process, but this many.
    NoProcess(usize),
    /// The process has reached its closing brace.
    Ended,
    /// The process stands before other statements.
    Elsewhere(String),
    /// Another process is inside an atomic sequence.
    Atomic(String),
    /// The statement is not executable.
    Blocked,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyNot::NoProcess(0) => f.write_str("no process is left"),
            WhyNot::NoProcess(1) => f.write_str("there is only process 0"),
            WhyNot::NoProcess(n) => write!(f, "there are only processes 0 to {}", n - 1),
            WhyNot::Ended => f.write_str("it is at its end"),
            WhyNot::Elsewhere(place) => write!(f, "it is at {place}"),
            WhyNot::Atomic(owner) => {
                write!(
                    f,
                    "{owner} is inside an atomic sequence and has exclusive control"
                )
            }
            WhyNot::Blocked => f.write_str("the statement is not executable"),
        }
    }
}

/// Why a statement of a process is not among the choices of a node.
pub fn why_not(
    model: &Model,
    node: &Node,
    choices: &Choices,
    pid: Pid,
    transition: TransitionId,
) -> WhyNot {
    let standing = show::standing(model, &node.state);
    let Some(here) = standing.iter().find(|s| s.pid == pid.0) else {
        return WhyNot::NoProcess(standing.len());
    };
    if !here.options.contains(&transition) {
        let text = |&id: &TransitionId| format!("`{}`", model.transition(id).text);
        let options: Vec<String> = here.options.iter().map(text).collect();
        return match here.options.first() {
            Some(&first) if !here.ended => {
                let place = place(model, first);
                WhyNot::Elsewhere(format!("{place}, before {}", options.join(" or ")))
            }
            _ => WhyNot::Ended,
        };
    }
    match choices.control {
        Control::Exclusive(owner) if owner != pid => {
            WhyNot::Atomic(process_name(model, &node.state, owner))
        }
        _ => WhyNot::Blocked,
    }
}

/// `file:line` of a transition, and of the calls of inlines that it comes from, as
/// `m.pml:3 (set called in line 7, swap at n.pml:12)`. Of many only the ends are shown.
pub fn place(model: &Model, id: TransitionId) -> String {
    let transition = model.transition(id);
    let own = line(model, transition.location);
    let calls: Vec<&Call> = model.calls(transition.call).collect();
    let at = |call: &Call| match call.location {
        at if at.file == transition.location.file => format!("in line {}", at.line),
        at => format!("at {}", line(model, at)),
    };
    match calls.as_slice() {
        [] => own,
        [only] => format!("{own} ({} called {})", only.inline, at(only)),
        [first, between @ .., last] => {
            let gap = if between.is_empty() { "" } else { " ...," };
            let (inner, outer) = (&first.inline, &last.inline);
            let (called, from) = (at(first), at(last));
            format!("{own} ({inner} called {called},{gap} {outer} {from})")
        }
    }
}

/// `file:line` of a location.
fn line(model: &Model, location: Location) -> String {
    let file = model.files.get(location.file.index());
    let file = file.map_or("-", String::as_str);
    let name = std::path::Path::new(file).file_name();
    let name = name.map_or(file.into(), |name| name.to_string_lossy());
    format!("{name}:{}", location.line)
}

/// The name of a process of a state, as `P(2)`; `process 2` if there is none.
pub fn process_name(model: &Model, state: &[u8], pid: Pid) -> String {
    let processes = show::processes(model, state);
    match processes.get(usize::from(pid.0)) {
        Some(&(_, proctype, _)) => {
            let proctype = &model.proctypes[proctype as usize];
            show::process_name(proctype, usize::from(pid.0))
        }
        None => format!("process {}", pid.0),
    }
}

/// A statement of the model, if the id is one of its transitions.
pub fn statement(model: &Model, id: TransitionId) -> Option<&model::Transition> {
    model.transitions.get(id.0 as usize)
}
