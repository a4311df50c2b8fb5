//! The trace file: a counterexample as JSON, for people to read and for `spinor replay`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use model::show::{self, Change};
use model::{CallId, Model, Transition};
use serde::{Deserialize, Serialize};
use space::{Pid, Step, Trace, TransitionId, Violation};

use super::node::{Choice, process_name};
use super::print;
use super::replay::{ReplayError, Replayed, Run, replay};
use crate::load::Loaded;
use crate::options::SourceOptions;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// A trace with all that is needed to execute it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFile {
    /// The version of the format.
    pub schema: u32,
    /// The path of the model as the user gave it.
    pub model: String,
    /// The texts the model was made from.
    pub sources: Vec<Source>,
    /// Macros defined on the command line, as `NAME` or `NAME=VALUE`.
    #[serde(default)]
    pub defines: Vec<String>,
    /// Directories of included files given on the command line.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// Sends to a full channel lose their message.
    #[serde(default, skip_serializing_if = "is_false")]
    pub lossy_channels: bool,
    /// Formulas given on the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formulas: Vec<String>,
    /// The property whose own search found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<FileProperty>,
    /// What the trace ends in.
    pub violation: Option<Stated>,
    /// The number of steps before the cycle, where the trace is one that goes on for ever. The
    /// cycle has no steps where the execution ends: the last state is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
    /// The steps.
    pub steps: Vec<FileStep>,
}

/// A property, and which executions count for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileProperty {
    /// Its kind, as in the report of `spinor check`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The fairness that was assumed.
    pub fairness: String,
}

/// A source file and a hash of its text, so that a change is noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// FNV-1a of its text, 64 bits in hexadecimal.
    pub hash: String,
}

/// The violation a trace file states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// Its kind, as in the report of `spinor check`.
    pub kind: String,
    /// The violation in a sentence.
    pub message: String,
    /// Where it lies, as `file:line:column`.
    pub location: Option<String>,
}

/// A step in a trace file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStep {
    /// Its number, from 1.
    pub number: usize,
    /// Who moves, and by which statement.
    #[serde(flatten)]
    pub half: FileHalf,
    /// The receiver of a handshake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<FileHalf>,
    /// It goes on with an atomic sequence that began before.
    #[serde(default, skip_serializing_if = "is_false")]
    pub atomic: bool,
    /// The variables and channels it changed, with their new values; processes it started.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, String>,
    /// What it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// A process and its statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHalf {
    /// The number of the process.
    pub pid: u8,
    /// The name of its proctype.
    pub process: String,
    /// Where the statement stands, as `file:line:column`.
    pub location: String,
    /// The calls of inlines that it comes from, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<FileCall>,
    /// The statement, with the arguments of the call.
    pub statement: String,
    /// The messages it sent and saw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<FileMessage>,
    /// Its number in the model.
    pub transition: u32,
    /// Its number in Spin's trails.
    pub spin_id: u32,
}

/// A message that a statement sent or saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMessage {
    /// What happened to it: `sent`, `lost`, `received`, `copied` or `polled`.
    pub action: String,
    /// The name of the channel.
    pub channel: String,
    /// The values of its fields.
    pub values: Vec<String>,
}

/// A call of an inline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileCall {
    /// The name of the inline.
    pub inline: String,
    /// Where it is called, as `file:line:column`.
    pub location: String,
}

impl FileCall {
    /// The calls that a statement comes from, innermost first.
    pub fn all(model: &Model, innermost: CallId) -> Vec<FileCall> {
        let calls = model.calls(innermost);
        calls
            .map(|call| FileCall {
                inline: call.inline.clone(),
                location: model.locate(call.location),
            })
            .collect()
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

impl TraceFile {
    /// The file of a trace that ends in a violation.
    pub fn new(
        model_path: &Path,
        loaded: &Loaded,
        trace: &Trace,
        violation: &Violation,
    ) -> TraceFile {
        let model = &loaded.model;
        // A trace that cannot be executed still gets its file, without what it changed.
        let run = replay(model, trace).ok();
        let steps = trace.steps.iter().enumerate();
        TraceFile {
            schema: SCHEMA,
            model: model_path.to_string_lossy().into_owned(),
            sources: sources(loaded),
            defines: Vec::new(),
            include: Vec::new(),
            lossy_channels: model.lossy,
            formulas: Vec::new(),
            property: None,
            cycle: trace.cycle,
            violation: Some(match &run {
                Some(run) => Stated::new(model, run, violation),
                None => Stated {
                    kind: violation.kind.name().to_owned(),
                    message: violation.kind.to_string(),
                    location: None,
                },
            }),
            steps: steps
                .map(|(i, step)| file_step(model, run.as_ref(), i, step))
                .collect(),
        }
    }

    /// With the options that the model was read with.
    pub fn with_options(mut self, options: &SourceOptions) -> TraceFile {
        self.defines.clone_from(&options.define);
        self.include.clone_from(&options.include);
        self.formulas.clone_from(&options.formulas);
        self
    }

    /// With the property that was searched for, and what was found in a sentence.
    pub fn with_property(mut self, property: FileProperty, message: String) -> TraceFile {
        self.property = Some(property);
        if let Some(stated) = &mut self.violation {
            stated.message = message;
        }
        self
    }

    /// The options to read the model with.
    pub fn options(&self) -> SourceOptions {
        SourceOptions {
            define: self.defines.clone(),
            include: self.include.clone(),
            formulas: self.formulas.clone(),
            lossy_channels: self.lossy_channels,
            ..SourceOptions::default()
        }
    }

    /// Write the file.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)?;
        out.flush()
    }

    /// Read a file.
    pub fn read(path: &Path) -> io::Result<TraceFile> {
        let text = std::fs::read(path)?;
        let bad = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
        // The version first: a file of another one may lack what this one needs.
        let version: Version = serde_json::from_slice(&text)
            .map_err(|error| bad(format!("it is not a trace file ({error})")))?;
        if version.schema != SCHEMA {
            let found = version.schema;
            let message = format!(
                "it has format version {found}, but only version {SCHEMA} is \
                                   supported"
            );
            return Err(bad(message));
        }
        serde_json::from_slice(&text).map_err(|error| bad(format!("it is corrupt ({error})")))
    }

    /// The trace, for the very model it was made from.
    pub fn trace(&self) -> Trace {
        let steps = self.steps.iter().map(|step| Step {
            pid: Pid(step.half.pid),
            transition: TransitionId(step.half.transition),
            partner: step
                .partner
                .as_ref()
                .map(|half| (Pid(half.pid), TransitionId(half.transition))),
        });
        Trace {
            cycle: self.cycle,
            ..Trace::of_steps(steps.collect())
        }
    }

    /// The names of the source files that are not what they were.
    pub fn changed_sources(&self, loaded: &Loaded) -> Vec<String> {
        let now = sources(loaded);
        let hash = |all: &[Source], i: usize| all.get(i).map(|source| source.hash.clone());
        (0..now.len().max(self.sources.len()))
            .filter(|&i| hash(&now, i) != hash(&self.sources, i))
            .filter_map(|i| now.get(i).or(self.sources.get(i)))
            .map(|source| source.name.clone())
            .collect()
    }

    /// The trace in a model that may have changed since: statements are told by their texts.
    pub fn refit(&self, model: &Model) -> Result<Trace, ReplayError> {
        let mut run = Run::new(model);
        let mut trace = Trace {
            cycle: self.cycle,
            ..Trace::default()
        };
        for (wanted, &step) in self.steps.iter().zip(&self.trace().steps) {
            let found: Vec<Step> = run
                .choices()
                .list
                .iter()
                .filter_map(|choice| wanted.is_choice(model, &run, choice))
                .collect();
            let step = match found.as_slice() {
                [] => return Err(self.misfit(&run, wanted, step)),
                [only] => *only,
                several => *several.iter().find(|s| **s == step).unwrap_or(&several[0]),
            };
            run.step(step)?;
            trace.steps.push(step);
        }
        Ok(trace)
    }

    fn misfit(&self, run: &Run<'_>, wanted: &FileStep, step: Step) -> ReplayError {
        let known = run.model().transitions.get(step.transition.0 as usize);
        if known.is_some_and(|t| wanted.half.is_statement(run.model(), t)) {
            return run.refuse(step);
        }
        let FileHalf {
            pid,
            process,
            statement,
            ..
        } = &wanted.half;
        ReplayError {
            step: wanted.number,
            message: format!("{process}({pid}) cannot execute `{statement}`"),
        }
    }
}

impl Stated {
    /// The violation that an executed trace ends in.
    pub fn new(model: &Model, run: &Replayed, violation: &Violation) -> Stated {
        let location = print::location(model, run, violation);
        Stated {
            kind: violation.kind.name().to_owned(),
            message: print::sentence(model, run, violation),
            location: location.map(|location| model.locate(location)),
        }
    }
}

impl FileStep {
    /// The step of a choice that looks like this one.
    fn is_choice(&self, model: &Model, run: &Run<'_>, choice: &Choice) -> Option<Step> {
        let step = choice.step?;
        let node = run.node()?;
        let same = |half: &FileHalf, pid: Pid, id: TransitionId| {
            let transition = model.transition(id);
            half.pid == pid.0
                && half.is_statement(model, transition)
                && process_name(model, &node.state, pid) == format!("{}({})", half.process, pid.0)
        };
        let partners = match (&self.partner, step.partner) {
            (None, None) => true,
            (Some(half), Some((pid, id))) => same(half, pid, id),
            _ => false,
        };
        (partners && same(&self.half, step.pid, step.transition)).then_some(step)
    }
}

impl FileHalf {
    /// Whether it is this statement, as far as a text can tell. In a file without calls, the
    /// text may have parameters of an inline instead of arguments: then the place decides.
    fn is_statement(&self, model: &Model, transition: &Transition) -> bool {
        let is_formal = self.calls.is_empty() && transition.call != CallId::NONE;
        self.statement == transition.text
            || is_formal && self.location == model.locate(transition.location)
    }
}

/// The one field that every version has.
#[derive(Deserialize)]
struct Version {
    schema: u32,
}

fn sources(loaded: &Loaded) -> Vec<Source> {
    let files = loaded.sources.files();
    files
        .map(|(_, file)| Source {
            name: file.name.clone(),
            hash: format!("{:016x}", fnv1a(file.text.as_bytes())),
        })
        .collect()
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A step as it is written to a file.
fn file_step(model: &Model, run: Option<&Replayed>, index: usize, step: &Step) -> FileStep {
    let changes = match run {
        Some(run) => show::changes(model, run.before(index), run.after(index)),
        None => Vec::new(),
    };
    let executed = run.and_then(|run| run.steps.get(index));
    let messages = |half: usize| match (run, executed) {
        (Some(run), Some(executed)) => {
            let transfers = executed.transfers_of(half);
            show::messages(model, run.before(index), &transfers)
        }
        _ => Vec::new(),
    };
    let half = |pid: Pid, id: TransitionId, half: usize| FileHalf {
        messages: messages(half).into_iter().map(file_message).collect(),
        ..file_half(model, pid, id)
    };
    FileStep {
        number: index + 1,
        half: half(step.pid, step.transition, 0),
        partner: step.partner.map(|(pid, id)| half(pid, id, 1)),
        atomic: executed.is_some_and(|e| e.exclusive),
        changes: changes.into_iter().map(named).collect(),
        output: executed.map(|e| e.output.clone()).unwrap_or_default(),
    }
}

/// A process and its statement, without what it did.
fn file_half(model: &Model, pid: Pid, id: TransitionId) -> FileHalf {
    let transition = model.transitions.get(id.0 as usize);
    FileHalf {
        pid: pid.0,
        process: transition
            .map(|t| show::proctype_name(model.proctype(t.proctype)).to_owned())
            .unwrap_or_default(),
        location: transition
            .map(|t| model.locate(t.location))
            .unwrap_or_default(),
        calls: transition
            .map(|t| FileCall::all(model, t.call))
            .unwrap_or_default(),
        statement: transition.map(|t| t.text.clone()).unwrap_or_default(),
        messages: Vec::new(),
        transition: id.0,
        spin_id: transition.map_or(0, |t| t.spin_id),
    }
}

fn file_message(message: show::Message) -> FileMessage {
    FileMessage {
        action: message.action.to_owned(),
        channel: message.channel,
        values: message.values,
    }
}

fn named(change: Change) -> (String, String) {
    match change {
        Change::Value(item) => (item.name, item.value),
        Change::Start { process, .. } => (process, "starts".to_owned()),
    }
}

/// The steps of an executed trace as they are written to files.
pub fn file_steps(model: &Model, run: &Replayed) -> Vec<FileStep> {
    let steps = run.steps.iter().enumerate();
    steps
        .map(|(i, executed)| file_step(model, Some(run), i, &executed.step))
        .collect()
}
