//! `spinor replay`: execute a trace again and show it.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use space::Violation;

use crate::commands::check::Format;
use crate::exit::Exit;
use checker::confirm::confirm_stated;
use checker::load::{self, LoadError, Loaded};
use checker::options::SourceOptions;
use checker::style::{Style as Paint, printable};
use checker::trace::file::{FileStep, SCHEMA, Stated, TraceFile, file_steps};
use checker::trace::guide::{self, Guide};
use checker::trace::print::{self, Style};
use checker::trace::replay::{End, Replayed, replay};
use checker::{Blame, Report, Source};

use crate::color::Color;
use crate::report::json;
use crate::source::SourceArgs;

/// Arguments of `spinor replay`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 1 if the trace ends in a violation, 0 if it does not, 2 if it \
                  does not fit the model."
)]
pub struct Args {
    /// The trace file written by `spinor check`; with --trail, the model.
    #[arg(value_name = "TRACE")]
    pub file: PathBuf,
    /// The model, if it has moved.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "trail",
        help_heading = "Model"
    )]
    pub model: Option<PathBuf>,
    /// Replay this Spin trail of the model.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// What the preprocessor is told; as noted in the trace file if left out.
    #[command(flatten)]
    pub source: SourceArgs,
    /// A send to a full channel loses its message instead of blocking (with --trail).
    #[arg(long, help_heading = "Model")]
    pub lossy_channels: bool,
    /// Human-readable text, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Human, help_heading = "Output")]
    pub format: Format,
    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Output")]
    pub color: Color,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    match executed(args) {
        Ok(done) => match show(args, &done) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                eprintln!("error: cannot print the trace: {error}");
                Exit::Internal
            }
            // Whoever closed the pipe has read enough.
            _ => done.exit(),
        },
        Err(failure) => {
            failure.print(args);
            Exit::Usage
        }
    }
}

/// A trace that was executed.
struct Done {
    model: PathBuf,
    loaded: Loaded,
    guide: Guide,
    run: Replayed,
    /// What it ends in: the stated violation if there is one, else any.
    violation: Option<Violation>,
}

impl Done {
    fn exit(&self) -> Exit {
        match (&self.guide.stated, self.violation) {
            (_, Some(_)) => Exit::Violated,
            (Some(_), None) => Exit::Usage,
            (None, None) => Exit::Holds,
        }
    }

    /// What there is to say when the trace ends in no violation.
    fn ending(&self) -> String {
        let ending = print::ending(&self.loaded.model, &self.run);
        match &self.guide.stated {
            Some(stated) => format!(
                "the trace ends without the stated violation ({})",
                stated.message
            ),
            None if self.guide.cycle.is_some() => {
                format!("{ending}; the cycle and the property it violates are not checked")
            }
            None if self.guide.claim => format!("{ending}; the claim is not checked"),
            None => format!("{ending}; no violation"),
        }
    }
}

/// Why there is nothing to show.
enum Failure {
    Load(PathBuf, LoadError),
    Other(PathBuf, String),
}

impl Failure {
    fn print(&self, args: &Args) {
        let (report, text) = match self {
            Failure::Load(model, error) => {
                let color = args.color.on(&io::stderr());
                (Report::rejected(model, error), error.render(color))
            }
            Failure::Other(model, reason) => (
                Report::failed(model, Blame::User, reason.clone()),
                format!("error: {reason}\n"),
            ),
        };
        // Nobody can be told when printing fails.
        let _ = match args.format {
            Format::Json | Format::Jsonl => json::print(&report),
            Format::Human => io::stderr().lock().write_all(text.as_bytes()),
        };
    }
}

fn executed(args: &Args) -> Result<Done, Failure> {
    let (model, loaded, guide) = match &args.trail {
        Some(trail) => {
            let loaded = read_model(&args.file, args.source.options(), args.lossy_channels)?;
            let other = |reason| Failure::Other(args.file.clone(), reason);
            let guide = guide::from_trail(trail, &loaded).map_err(other)?;
            (args.file.clone(), loaded, guide)
        }
        None => from_file(args)?,
    };
    let run = replay(&loaded.model, &guide.trace).map_err(|error| {
        let reason = format!("the trace does not fit the model: {error}");
        Failure::Other(model.clone(), reason)
    })?;
    let violation = match (&guide.property, &guide.stated) {
        (Some(property), Some(stated)) => confirm_stated(&loaded.model, property, stated, &guide),
        (_, Some(stated)) => run.violation_of(&stated.kind),
        (_, None) => run.violation,
    };
    Ok(Done {
        model,
        loaded,
        guide,
        run,
        violation,
    })
}

fn from_file(args: &Args) -> Result<(PathBuf, Loaded, Guide), Failure> {
    let file = TraceFile::read(&args.file).map_err(|error| {
        let mut reason = guide::cannot_read(&args.file, &error);
        if error.kind() == io::ErrorKind::InvalidData {
            reason.push_str("; to replay a Spin trail: spinor replay MODEL --trail FILE");
        }
        Failure::Other(args.model.clone().unwrap_or_default(), reason)
    })?;
    let model = match &args.model {
        Some(model) => model.clone(),
        None => guide::model_path(&file, &args.file),
    };
    let options = match args.source.is_empty() {
        true => file.options(),
        false => args.source.options(),
    };
    let loaded = read_model(&model, options, file.lossy_channels)?;
    let other = |reason| Failure::Other(model.clone(), reason);
    let guide = guide::from_trace(&file, &loaded).map_err(other)?;
    Ok((model, loaded, guide))
}

fn read_model(model: &Path, options: SourceOptions, lossy: bool) -> Result<Loaded, Failure> {
    let source = Source::file(model).with_options(SourceOptions {
        lossy_channels: lossy,
        ..options
    });
    load::load(&source).map_err(|error| Failure::Load(model.to_owned(), error))
}

/// The result as one JSON object.
#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    model: String,
    /// `violated`; nothing if the trace ends without a violation, which proves nothing.
    verdict: Option<&'static str>,
    reason: Option<String>,
    violation: Option<Stated>,
    /// How things stand behind the last step.
    end: &'static str,
    /// The number of steps before the cycle.
    cycle: Option<usize>,
    remarks: &'a [String],
    steps: Vec<FileStep>,
}

fn show(args: &Args, done: &Done) -> io::Result<()> {
    let model = &done.loaded.model;
    let stdout = io::stdout().lock();
    if args.format != Format::Human {
        let answer = Answer {
            schema: SCHEMA,
            model: done.model.display().to_string(),
            verdict: done.violation.map(|_| "violated"),
            reason: done.violation.is_none().then(|| done.ending()),
            violation: done
                .violation
                .map(|v| match (&done.guide.property, &done.guide.stated) {
                    (Some(_), Some(stated)) => stated.clone(),
                    _ => Stated::new(model, &done.run, &v),
                }),
            end: match done.run.end {
                End::Running => "running",
                End::Valid => "valid",
                End::Invalid => "invalid",
                End::Fault => "fault",
            },
            cycle: done.guide.cycle,
            remarks: &done.guide.remarks,
            steps: file_steps(model, &done.run),
        };
        let mut out = BufWriter::new(stdout);
        serde_json::to_writer_pretty(&mut out, &answer)?;
        writeln!(out)?;
        return out.flush();
    }
    let style = Style {
        color: args.color.on(&stdout),
        cycle: done.guide.cycle,
        ..Style::default()
    };
    let mut out = BufWriter::new(stdout);
    for remark in &done.guide.remarks {
        writeln!(out, "note: {remark}")?;
    }
    print::replayed(model, &done.run, style, &mut out)?;
    writeln!(out)?;
    match &done.violation {
        Some(_) if done.guide.property.is_some() => {
            let stated = done.guide.stated.as_ref();
            let paint = Paint { color: style.color };
            let sentence = printable(stated.map_or("", |stated| stated.message.as_str()));
            writeln!(out, "{}", paint.bad(&sentence))?;
        }
        Some(violation) => print::conclusion(model, &done.run, violation, style, &mut out)?,
        None => writeln!(out, "{}", done.ending())?,
    }
    out.flush()
}
