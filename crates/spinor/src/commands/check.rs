//! `spinor check`: does every execution satisfy every property?

mod args;
mod traces;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use model::Model;
use model::reduction::{Reduced, reduce};
use search::{Checkpoint, Finding, Outcome, Progress, SearchConfig};

use crate::confirm::confirm;
use crate::engine::{self, Ran, Resume, Strategy};
use crate::exit::Exit;
use crate::load::{self, Loaded};
use crate::plan::{Blame, Plan, Verdict};
use crate::report::human::{self, Layout};
use crate::report::style::Style;
use crate::report::{Confirmed, Options, Report, Run, Seconds, json};
use crate::{interrupt, memory, progress};

pub use args::{Args, Backend, Fairness, Format, OutputOptions, Search, SearchOptions, Store};
use traces::{MOST_TRACES, first_counterexample, write_traces};

/// How often a search is written down.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(600);

/// Run the command.
pub fn run(args: &Args) -> Exit {
    let Answer { report, text } = check(args);
    print(args, &report, &text)
}

/// What a check came to.
struct Answer {
    report: Report,
    /// For people: the first counterexample, or everything about a run that went wrong.
    text: String,
}

impl Answer {
    fn failed(args: &Args, blame: Blame, reason: String) -> Answer {
        Answer {
            text: format!("error: {reason}\n"),
            report: Report::failed(&args.model, blame, reason),
        }
    }
}

/// Read, search, confirm.
fn check(args: &Args) -> Answer {
    let started = Instant::now();
    let mut loaded = match load::load(&args.model, &args.source) {
        Ok(loaded) => loaded,
        Err(error) => {
            return Answer {
                text: error.render(args.output.color.on(&io::stderr())),
                report: Report::rejected(&args.model, &error),
            };
        }
    };
    let parsed = started.elapsed();
    loaded.model.lossy = args.lossy_channels;
    let plan = match Plan::new(&loaded.model, &args.properties) {
        Ok(plan) => plan,
        Err(mistake) => return Answer::failed(args, Blame::User, mistake),
    };
    if args.output.format == Format::Human && !args.output.quiet {
        let color = args.output.color.on(&io::stderr());
        let warnings = promela::render::render(&loaded.warnings, &loaded.sources, color);
        eprint_text(&warnings);
    }
    let strategy = match Strategy::new(&args.search) {
        Ok(strategy) => strategy,
        Err(mistake) => return Answer::failed(args, Blame::User, mistake),
    };
    let reduced = (!args.search.no_reduction).then(|| reduce(&loaded.model));
    let searched = reduced.as_ref().map_or(&loaded.model, |r| &r.model);
    let ran = match plan
        .safety
        .then(|| search(args, &loaded, searched, &strategy))
    {
        None => None,
        Some(Ok(ran)) => Some(ran),
        Some(Err(mistake)) => return Answer::failed(args, Blame::User, mistake),
    };
    let outcome = ran.as_ref().map(|ran| &ran.outcome);
    let findings = outcome.map_or(&[][..], Outcome::findings);
    let mut findings: Vec<&Finding> = findings.iter().collect();
    if args.search.shortest {
        findings.sort_by_key(|finding| finding.depth);
    }
    let mut confirmed = Vec::new();
    for finding in findings {
        match confirm(&loaded.model, finding) {
            Ok(last_state) => confirmed.push(Confirmed {
                finding,
                last_state,
                trace: None,
            }),
            Err(mismatch) => {
                let kind = finding.violation.kind;
                let reason = format!(
                    "a counterexample ({kind}) does not execute: {mismatch}; \
                     this is a bug in spinor, please report it with the model"
                );
                return Answer::failed(args, Blame::Us, reason);
            }
        }
    }
    write_traces(args, &loaded, &mut confirmed);
    let report = Report::new(Run {
        path: &args.model,
        loaded: &loaded,
        plan: &plan,
        outcome,
        estimate: ran.as_ref().and_then(|ran| ran.estimate),
        confirmed: &confirmed,
        options: options(args, &strategy, ran.as_ref(), reduced.as_ref()),
        seconds: Seconds {
            parse: parsed.as_secs_f64(),
            compile: ran.as_ref().map_or(0.0, |ran| ran.compile.as_secs_f64()),
            total: started.elapsed().as_secs_f64(),
            ..Seconds::default()
        },
    });
    Answer {
        text: first_counterexample(args, &loaded, &confirmed),
        report,
    }
}

/// How the model was searched, for the report.
fn options(
    args: &Args,
    strategy: &Strategy,
    ran: Option<&Ran>,
    reduced: Option<&Reduced>,
) -> Options {
    let reductions = reduced.map_or_else(Vec::new, |reduced| {
        [
            ("write-only", reduced.write_only),
            ("dead-variables", reduced.resets),
            ("merging", reduced.merged),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, _)| name)
        .collect()
    });
    Options {
        search: strategy.search_name(),
        store: strategy.store_name(),
        backend: match ran.map_or(strategy.backend, |ran| ran.backend) {
            Backend::Jit => "jit",
            Backend::Interp => "interp",
        },
        reduction: reductions,
        lossy_channels: args.lossy_channels,
        ..Options::default()
    }
}

/// Search; an error is a checkpoint that cannot be resumed.
fn search(args: &Args, loaded: &Loaded, model: &Model, strategy: &Strategy) -> Result<Ran, String> {
    let options = &args.search;
    let json = (args.output.format == Format::Json).then(|| args.model.clone());
    let stop = interrupt::listen(move || {
        if let Some(model) = &json {
            let reason = Some("interrupted".to_owned());
            let report = Report::without_run(model, Verdict::Inconclusive, reason);
            // Nothing is left to do if it cannot be printed.
            let _ = json::print(&report);
        }
    });
    let progress = Progress::default();
    let limit = match strategy.store {
        // There the memory is the size of the array; stack and queue come beside it.
        Store::Bitstate => memory::default_limit(),
        _ => options.memory.or_else(memory::default_limit),
    };
    let fingerprint = fingerprint(args, loaded, strategy);
    let config = SearchConfig {
        depth: options.depth,
        max_errors: (!options.all_errors).then_some(options.max_errors),
        kept_traces: MOST_TRACES,
        memory_limit: limit.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
        time_limit: options.time,
        stop: Some(stop),
        progress: Some(&progress),
        checkpoint: options.checkpoint.as_deref().map(|path| Checkpoint {
            path,
            interval: CHECKPOINT_INTERVAL,
            fingerprint,
        }),
        ..SearchConfig::default()
    };
    let resume = options
        .resume
        .as_deref()
        .map(|path| Resume { path, fingerprint });
    progress::watch(&progress, args.output.quiet, || {
        engine::run(model, strategy, &config, resume)
    })
    .map_err(|error| error.to_string())
}

/// Everything that decides which steps a model has, and how they are searched.
fn fingerprint(args: &Args, loaded: &Loaded, strategy: &Strategy) -> u64 {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    for (_, file) in loaded.sources.files() {
        file.text.hash(&mut hasher);
    }
    args.source.define.hash(&mut hasher);
    (args.lossy_channels, args.search.no_reduction).hash(&mut hasher);
    (strategy.search_name(), strategy.store_name()).hash(&mut hasher);
    // Otherwise the memory is only a limit, and may be another one the next time.
    if strategy.store == Store::Bitstate {
        (strategy.hash_functions, strategy.bitstate_bytes).hash(&mut hasher);
    }
    args.search.depth.hash(&mut hasher);
    hasher.finish()
}

fn print(args: &Args, report: &Report, text: &str) -> Exit {
    let printed = match args.output.format {
        Format::Json => json::print(report),
        Format::Human if matches!(report.verdict, Verdict::Error(_)) => {
            eprint_text(text);
            Ok(())
        }
        Format::Human => {
            let layout = Layout {
                style: Style {
                    color: args.output.color.on(&io::stdout()),
                },
                quiet: args.output.quiet,
            };
            let text = human::render(report, text, layout);
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
    };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprint_text(&format!("error: cannot print the report: {error}\n"));
            Exit::Internal
        }
        // Whoever closed the pipe has read enough.
        _ => report.exit(),
    }
}

/// Print to standard error; nobody can be told when that fails.
fn eprint_text(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
