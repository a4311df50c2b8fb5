//! `spinor check`: does every execution satisfy every property?

mod args;
mod session;
mod traces;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use search::Progress;

use crate::declared;
use crate::engine::{CycleStrategy, Strategy};
use crate::exit::Exit;
use crate::load::{self, Loaded, SourceOptions};
use crate::plan::{Blame, Plan, Verdict};
use crate::report::human::{self, Layout};
use crate::report::style::Style;
use crate::report::{Report, Run, Seconds, json};

pub use args::{
    Args, Backend, Fairness, Format, OutputOptions, Por, PorCorrection, Search, SearchOptions,
    Store, SymmetryFairness, SymmetryOption,
};
pub use session::Checked;
use session::{Session, listen};
use traces::{first_counterexample, write_traces};

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
    let source = SourceOptions {
        formulas: args.properties.ltl_formula.clone(),
        ..args.source.clone()
    };
    let mut loaded = match load::load(&args.model, &source) {
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
    for (_, file) in loaded.sources.files() {
        if let Err(mistake) = declared::check(&loaded.model, &file.name, &file.text) {
            return Answer::failed(args, Blame::User, mistake);
        }
    }
    if args.output.format == Format::Human && !args.output.quiet {
        let color = args.output.color.on(&io::stderr());
        let warnings = promela::render::render(&loaded.warnings, &loaded.sources, color);
        eprint_text(&warnings);
    }
    let strategies = match Strategies::new(args, &plan) {
        Ok(strategies) => strategies,
        Err(mistake) => return Answer::failed(args, Blame::User, mistake),
    };
    let mut session = Session {
        args,
        loaded: &loaded,
        stop: listen(args),
        progress: Progress::default(),
        used: Duration::ZERO,
    };
    let safety = match plan.safety.then(|| session.safety(&strategies.safety)) {
        None => None,
        Some(Ok(checked)) => Some(checked),
        Some(Err(mistake)) => return Answer::failed(args, Blame::User, mistake),
    };
    let mut others = Vec::new();
    for (_, target) in plan.targets() {
        let Some(strategy) = &strategies.cycles else {
            break;
        };
        match session.cycles(strategy, target) {
            Ok(checked) => others.push(checked),
            Err(mistake) => return Answer::failed(args, Blame::User, mistake),
        }
    }
    let mut bugs = safety.iter().chain(&others).filter_map(|c| c.bug.as_ref());
    if let Some(bug) = bugs.next() {
        let reason = format!(
            "{bug}\n\
             this is a bug in spinor, please report it with the model"
        );
        return Answer::failed(args, Blame::Us, reason);
    }
    let mut confirmed = Vec::new();
    let rows = plan.properties.iter().enumerate();
    let own_rows = rows.filter(|(_, property)| property.target().is_some());
    let all = (safety.iter().map(|checked| (None, checked)))
        .chain(own_rows.map(|(row, _)| Some(row)).zip(&others));
    for (property, checked) in all {
        match checked.confirm(args, &loaded.model, property) {
            Ok(found) => confirmed.extend(found),
            Err(reason) => return Answer::failed(args, Blame::Us, reason),
        }
    }
    write_traces(args, &loaded, &plan, &mut confirmed);
    let compile: Duration = safety.iter().chain(&others).map(|c| c.compile).sum();
    let report = Report::new(Run {
        path: &args.model,
        loaded: &loaded,
        plan: &plan,
        safety: safety.as_ref(),
        others: &others,
        confirmed: &confirmed,
        lossy_channels: args.lossy_channels,
        fairness: args.search.fairness.name(),
        seconds: Seconds {
            parse: parsed.as_secs_f64(),
            compile: compile.as_secs_f64(),
            total: started.elapsed().as_secs_f64(),
            ..Seconds::default()
        },
    });
    Answer {
        text: first_counterexample(args, &loaded, &plan, &confirmed),
        report,
    }
}

/// How to search, for each kind of property.
struct Strategies {
    safety: Strategy,
    /// For properties with a search of their own, if there are any.
    cycles: Option<CycleStrategy>,
}

impl Strategies {
    /// What the options ask for, or why that cannot be had.
    fn new(args: &Args, plan: &Plan) -> Result<Strategies, String> {
        let options = &args.search;
        let cycles = plan.targets().next().is_some();
        if !cycles && options.search.is_some_and(Search::is_for_cycles) {
            return Err("this search looks for cycles, but no property needs that".to_owned());
        }
        if !cycles && options.fairness != Fairness::None {
            return Err("--fairness is about cycles, but no property needs them".to_owned());
        }
        Ok(Strategies {
            safety: Strategy::new(options)?,
            cycles: cycles
                .then(|| CycleStrategy::new(options, !plan.safety))
                .transpose()?,
        })
    }
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
    args.search
        .symmetry
        .map(SymmetryOption::name)
        .hash(&mut hasher);
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
