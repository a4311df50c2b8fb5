//! Spin's trail files.
//!
//! A trail is a list of records `step:process:statement`. The statement is Spin's number of
//! it, [`model::Transition::spin_id`]; a handshake has two records. Where a claim is part
//! of the run it is process 0, and the others are one higher. Negative numbers are markers.

use std::collections::HashMap;
use std::fmt;

use model::Model;
use space::{Pid, Step, Trace, TransitionId, Violation};

use super::merge::{Next, followers};
use super::replay::Run;
use crate::load::Loaded;

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The line of the file, from 1.
    pub line: usize,
    /// The number of the step.
    pub step: i64,
    /// The process.
    pub process: i64,
    /// The statement.
    pub statement: i64,
}

/// A trail file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trail {
    /// The records of the processes, with the claim's left out and pids as in the model.
    pub records: Vec<Record>,
    /// The run was made with a never claim or formula.
    pub claim: bool,
    /// Records may stand for several statements.
    pub merged: bool,
    /// The number of records before the cycle.
    pub cycle: Option<usize>,
}

/// What a trail means in a model.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Followed {
    /// The trace.
    pub trace: Trace,
    /// The number of steps before the cycle.
    pub cycle: Option<usize>,
}

/// What is wrong with a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, without a full stop.
    pub message: String,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the trail: {}", self.line, self.message)
    }
}

impl std::error::Error for TrailError {}

/// The trail of a trace, as the verifier of `spin -o3` would write it: `spin -t` replays it.
pub fn write(loaded: &Loaded, trace: &Trace, violation: &Violation) -> String {
    // An invalid end state has no record of its own, and any other violation is that of
    // the last step, which the trace holds.
    let _ = violation;
    let halves = trace.steps.iter().flat_map(|step| {
        let first = (step.pid, step.transition);
        std::iter::once(first).chain(step.partner)
    });
    let mut text = String::new();
    for (i, (pid, id)) in halves.enumerate() {
        let statement = loaded.model.transition(id).spin_id;
        text.push_str(&format!("{}:{}:{statement}\n", i + 1, pid.0));
    }
    text
}

/// Read the text of a trail.
pub fn parse(text: &str) -> Result<Trail, TrailError> {
    let mut trail = Trail::default();
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let error = |message: &str| TrailError {
            line: i + 1,
            message: format!("{message}: `{}`", line.chars().take(60).collect::<String>()),
        };
        let numbers: Option<Vec<i64>> = line.split(':').map(|n| n.parse().ok()).collect();
        let Some(&[step, process, statement]) = numbers.as_deref() else {
            return Err(error("expected three numbers as `step:process:statement`"));
        };
        match step {
            -1 => trail.cycle = Some(all.len()),
            -2 => trail.claim = true,
            -4 => trail.merged = true,
            // The order in which the search was made does not matter here.
            -8..=-5 => {}
            i64::MIN..=-1 => return Err(error("unknown marker")),
            _ => all.push(Record {
                line: i + 1,
                step,
                process,
                statement,
            }),
        }
    }
    if !trail.claim {
        trail.records = all;
        return Ok(trail);
    }
    if let Some(cycle) = &mut trail.cycle {
        *cycle = all[..*cycle].iter().filter(|r| r.process != 0).count();
    }
    let moves = all.into_iter().filter(|record| record.process != 0);
    trail.records = moves
        .map(|record| Record {
            process: record.process - 1,
            ..record
        })
        .collect();
    Ok(trail)
}

/// Find the steps of a trail in a model by executing it.
pub fn follow(model: &Model, trail: &Trail) -> Result<Followed, TrailError> {
    let mut follower = Follower {
        run: Run::new(model),
        steps: resolve(model, &trail.records)?,
        lines: trail.records.iter().map(|record| record.line).collect(),
        merged: trail.merged,
    };
    let mut cycle = None;
    let mut at = 0;
    while at < follower.steps.len() {
        if trail.cycle == Some(at) {
            cycle = Some(follower.run.done().steps.len());
        }
        at = follower.record(at)?;
    }
    let steps = follower.run.finish().steps;
    Ok(Followed {
        trace: Trace::of_steps(steps.into_iter().map(|executed| executed.step).collect()),
        cycle,
    })
}

/// The statements of the records.
fn resolve(model: &Model, records: &[Record]) -> Result<Vec<(Pid, TransitionId)>, TrailError> {
    let mut by_number = HashMap::new();
    for (row, transition) in model.transitions.iter().enumerate() {
        by_number.insert(i64::from(transition.spin_id), TransitionId(row as u32));
    }
    let resolve = |record: &Record| {
        let error = |message: String| TrailError {
            line: record.line,
            message,
        };
        let Ok(pid) = u8::try_from(record.process) else {
            return Err(error(format!("there is no process {}", record.process)));
        };
        match by_number.get(&record.statement) {
            Some(&id) => Ok((Pid(pid), id)),
            None => Err(error(format!(
                "the model has no statement {}; was the trail written for this model, with the \
                 same macros?",
                record.statement
            ))),
        }
    };
    records.iter().map(resolve).collect()
}

/// A run along the records of a trail.
struct Follower<'m> {
    run: Run<'m>,
    steps: Vec<(Pid, TransitionId)>,
    lines: Vec<usize>,
    merged: bool,
}

impl Follower<'_> {
    /// Make the step of a record and return the number of the next one.
    fn record(&mut self, at: usize) -> Result<usize, TrailError> {
        let (pid, transition) = self.steps[at];
        let alone = Step {
            pid,
            transition,
            partner: None,
        };
        let together = Step {
            partner: self.steps.get(at + 1).copied(),
            ..alone
        };
        let choices = self.run.choices();
        let inside = choices.is_exclusive();
        let (step, next) = match choices.find(alone) {
            Some(_) => (alone, at + 1),
            None if choices.find(together).is_some() => (together, at + 2),
            // The verifier sometimes adds the statement it tried last, in vain.
            None if at + 1 == self.steps.len() && self.run.done().violation.is_some() => {
                return Ok(at + 1);
            }
            None => return Err(self.refuse(at, alone, together)),
        };
        self.execute(at, step)?;
        if self.merged {
            let (pid, recorded) = step.partner.unwrap_or((pid, transition));
            let inside = inside && step.partner.is_none();
            self.merge(next - 1, pid, recorded, inside)?;
        }
        Ok(next)
    }

    fn execute(&mut self, at: usize, step: Step) -> Result<(), TrailError> {
        self.run.step(step).map_err(|error| TrailError {
            line: self.lines[at],
            message: error.message,
        })
    }

    /// Execute what was merged with the statement of a record.
    fn merge(
        &mut self,
        at: usize,
        pid: Pid,
        recorded: TransitionId,
        inside: bool,
    ) -> Result<(), TrailError> {
        let mut later = self.steps[at + 1..].iter();
        let next = match later.clone().next() {
            None => Next::TrailEnds,
            Some(_) => match later.find(|(other, _)| *other == pid) {
                Some(&(_, next)) => Next::Recorded(next),
                None => Next::Nothing,
            },
        };
        for transition in followers(self.run.model(), recorded, inside, next) {
            let wrong = self.run.done().steps.last().and_then(|s| s.violation);
            if wrong.is_some() && matches!(next, Next::TrailEnds) {
                break;
            }
            let step = Step {
                pid,
                transition,
                partner: None,
            };
            self.execute(at, step).map_err(|error| TrailError {
                message: format!(
                    "{}; Spin merged it with the preceding statement; verifiers generated by \
                     `spin -o3 -a` write a record for each",
                    error.message
                ),
                ..error
            })?;
        }
        Ok(())
    }

    /// Why no step fits a record.
    fn refuse(&self, at: usize, alone: Step, together: Step) -> TrailError {
        let ready = |choice: &super::node::Choice| {
            choice
                .step
                .is_some_and(|s| (s.pid, s.transition) == (alone.pid, alone.transition))
        };
        let offered = self.run.choices().list.iter().any(ready);
        let message = match together.partner {
            None if offered => "the trail ends between the two halves of a handshake".to_owned(),
            Some(_) if offered => self.run.refuse(together).message,
            _ => self.run.refuse(alone).message,
        };
        TrailError {
            line: self.lines[at],
            message,
        }
    }
}
