//! `spinor check`: does every execution satisfy every property?

mod args;
mod traces;

use std::io::{self, Write};
use std::time::Instant;

use model::Interp;
use search::{Outcome, Progress, SearchConfig};
use store::PlainStore;

use crate::confirm::confirm;
use crate::exit::Exit;
use crate::load::{self, Loaded};
use crate::plan::{Blame, Plan, Verdict};
use crate::report::human::{self, Layout};
use crate::report::style::Style;
use crate::report::{Confirmed, Options, Report, Run, Seconds, json};
use crate::{interrupt, memory, progress};

pub use args::{Args, Backend, Fairness, Format, OutputOptions, Search, SearchOptions, Store};
use traces::{MOST_TRACES, first_counterexample, write_traces};

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
    let outcome = plan.safety.then(|| search(args, &loaded));
    let findings = outcome.as_ref().map_or(&[][..], Outcome::findings);
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
        outcome: outcome.as_ref(),
        confirmed: &confirmed,
        options: Options {
            lossy_channels: args.lossy_channels,
            ..Options::default()
        },
        seconds: Seconds {
            parse: parsed.as_secs_f64(),
            total: started.elapsed().as_secs_f64(),
            ..Seconds::default()
        },
    });
    Answer {
        text: first_counterexample(args, &loaded, &confirmed),
        report,
    }
}

fn search(args: &Args, loaded: &Loaded) -> Outcome {
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
    let limit = options.memory.or_else(memory::default_limit);
    let config = SearchConfig {
        depth: options.depth,
        max_errors: (!options.all_errors).then_some(options.max_errors),
        kept_traces: MOST_TRACES,
        memory_limit: limit.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
        time_limit: options.time,
        stop: Some(stop),
        progress: Some(&progress),
    };
    progress::watch(&progress, args.output.quiet, || match options.search {
        Search::Dfs => search::dfs(
            &mut Interp::new(&loaded.model),
            &mut PlainStore::new(),
            &config,
        ),
    })
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
