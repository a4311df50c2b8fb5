//! The report for people, piece by piece as it comes to be known. The words are Spin's.

use std::fmt::Write;

use checker::event::Counterexample;
use checker::judge::Judgement;
use checker::plan::Job;
use checker::report::{
    ErrorReport, Options, PropertyReport, SearchReport, StatementReport, UnreachedReport,
};
use checker::style::{Style, printable};
use checker::trace::file::FileCall;
use checker::trace::print::{self, Limit};
use checker::units::{count, duration, plural, size};
use checker::{Loaded, Plan, PropertyVerdict, Report, Verdict};

/// The most violations that are described.
const MOST_ERRORS: usize = 20;
/// The most statements of a proctype that are listed as unreached.
const MOST_UNREACHED: usize = 20;
/// Of longer counterexamples only beginning and end are printed.
const LONGEST_PRINTED: usize = 150;
/// The longest name that others are aligned with.
const LONGEST_NAME: usize = 60;
/// With fewer states the memory of the store is mostly that of its empty tables.
const MANY_STATES: u64 = 10_000;
/// Over shorter times a rate is only noise.
const MEASURABLE: f64 = 0.1;

/// Makes the text of a report.
pub struct Printer {
    out: String,
    style: Style,
    /// Only what is wrong, and the verdict.
    quiet: bool,
    /// Whether something was printed at all.
    begun: bool,
    /// How many counterexamples were described.
    errors: usize,
    /// The last property with a counterexample printed step by step.
    told: Option<usize>,
    /// Whether the next property is set apart from what precedes it.
    apart: bool,
}

impl Printer {
    /// A printer that has printed nothing.
    pub fn new(style: Style, quiet: bool) -> Printer {
        Printer {
            out: String::new(),
            style,
            quiet,
            begun: false,
            errors: 0,
            told: None,
            apart: false,
        }
    }

    /// The text that was made since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
        self.begun = true;
    }

    fn dim_line(&mut self, line: &str) {
        let line = self.style.dim(line);
        self.line(&format!("  {line}"));
    }

    /// What will be searched, and how.
    pub fn heading(&mut self, name: &str, loaded: &Loaded, plan: &Plan) {
        if self.quiet {
            return;
        }
        let model = self.style.bold(&printable(name));
        match plan.jobs.as_slice() {
            [only] => {
                let how = self.style.dim(&how(loaded, only));
                self.line(&format!("{model}  {how}"));
                self.remarks(loaded, only);
            }
            jobs => {
                self.line(&model);
                for job in jobs {
                    let subject = printable(&plan.subject(job));
                    self.dim_line(&format!("{subject}: {}", how(loaded, job)));
                    self.remarks(loaded, job);
                }
            }
        }
        if !plan.not_selected.is_empty() {
            let names = printable(&plan.not_selected.join(", "));
            self.dim_line(&format!("not selected: {names}"));
        }
        self.line("");
    }

    /// Why a job leaves a reduction out, and what is symmetric.
    fn remarks(&mut self, loaded: &Loaded, job: &Job) {
        if let Some(reason) = job.por.reason() {
            self.dim_line(&format!("no partial-order reduction: {reason}"));
        }
        let symmetry = checker::report::SymmetryReport::new(&loaded.model, &job.symmetry);
        for line in symmetry.lines() {
            self.dim_line(&printable(&line));
        }
    }

    /// The verdict of a property.
    pub fn property(&mut self, loaded: &Loaded, plan: &Plan, row: usize, judgement: &Judgement) {
        if self.quiet {
            return;
        }
        if std::mem::take(&mut self.apart) {
            self.line("");
        }
        let property = &plan.properties[row];
        let widths = plan.properties.iter().map(|p| p.title().chars().count());
        let names = widths.max().unwrap_or(0).min(LONGEST_NAME);
        let word = format!("{:8}", judgement.verdict.word());
        let word = match judgement.verdict {
            PropertyVerdict::Holds(_) => self.style.good(&word),
            PropertyVerdict::Violated => self.style.bad(&word),
            PropertyVerdict::Inconclusive => self.style.open(&word),
        };
        let place = property.location.map(|at| loaded.model.locate(at));
        let place = self.style.dim(&printable(&place.unwrap_or_default()));
        let name = printable(&property.title());
        self.line(&format!("  {word}  {name:names$}  {place}"));
    }

    /// A counterexample, the first one of each property step by step.
    pub fn counterexample(&mut self, found: &Counterexample<'_>, trace: Option<&str>) {
        self.errors += 1;
        if self.errors > MOST_ERRORS {
            return;
        }
        let error = found.error;
        let circumstances = self.circumstances(error, trace);
        if self.quiet || self.told == Some(found.property) {
            let message = self.style.bad(&printable(&error.message));
            self.line(&format!("{message} {circumstances}"));
            self.apart = !self.quiet;
            return;
        }
        let steps = plural(error.steps as u64, "step");
        let heading = self.style.bold(&format!("counterexample of {steps}"));
        self.line("");
        self.line(&format!("{heading} {circumstances}"));
        self.steps(found);
        self.told = Some(found.property);
        self.apart = true;
    }

    /// The steps of a counterexample, and what they violate.
    fn steps(&mut self, found: &Counterexample<'_>) {
        let trace = &found.finding.trace;
        let violation = &found.finding.violation;
        let style = print::Style {
            color: self.style.color,
            limit: (trace.steps.len() > LONGEST_PRINTED).then_some(Limit {
                first: LONGEST_PRINTED / 3,
                last: LONGEST_PRINTED / 2,
            }),
            cycle: trace.cycle,
        };
        let property = &found.plan.properties[found.property];
        let is_lasso = property.target().is_some();
        let mut text = Vec::new();
        let stated = (!is_lasso).then_some(violation);
        // Writing to memory does not fail.
        let _ = print::styled(found.loaded, trace, stated, style, &mut text);
        self.out.push_str(&String::from_utf8_lossy(&text));
        if is_lasso {
            let sentence = print::lasso(&property.title(), violation, trace);
            let sentence = self.style.bad(&printable(&sentence));
            self.line("");
            self.line(&sentence);
        }
    }

    /// Where a violation was met, and where its trace is.
    fn circumstances(&self, error: &ErrorReport, trace: Option<&str>) -> String {
        let mut text = format!("at depth {}", error.depth);
        if let Some(trace) = trace {
            let _ = write!(text, ", trace in {}", printable(trace));
        }
        self.style.dim(&format!("({text})"))
    }

    /// What is known at the end.
    pub fn footer(&mut self, report: &Report) {
        if let Some(more) = self.errors.checked_sub(MOST_ERRORS + 1) {
            self.line(&format!("... and {} more", count(more as u64 + 1)));
        }
        if !self.quiet {
            self.figures(report);
            self.unreached(report);
        }
        self.verdict(report);
    }

    fn figures(&mut self, report: &Report) {
        let is_only = report.searches.len() == 1;
        for search in &report.searches {
            self.line("");
            self.search(search, is_only);
        }
        if report.searches.is_empty() {
            return;
        }
        if let Some(trouble) = &report.io_error {
            self.line(&format!("  {}", printable(trouble)));
        }
        self.line("");
        self.time(report);
        self.memory(report);
    }

    /// The figures of one search.
    fn search(&mut self, search: &SearchReport, is_only: bool) {
        let subject = match is_only {
            true => String::new(),
            false => format!("{}: ", printable(&search.subject)),
        };
        let (stored, matched) = (search.states.stored, search.states.matched);
        let visited = search.transitions - matched;
        let (visits, sum) = match visited > stored {
            false => (String::new(), "stored"),
            true => (format!(" ({} visited)", count(visited)), "visited"),
        };
        self.line(&format!(
            "  {subject}{} stored{visits}, {} matched, {} (= {sum} + matched)",
            plural(stored, "state"),
            count(matched),
            plural(search.transitions, "transition"),
        ));
        self.line(&format!(
            "  {}, depth reached {}, {}",
            plural(search.atomic_steps, "atomic step"),
            count(search.depth),
            plural(search.error_count, "error"),
        ));
        let mut states = plural(search.states.longest as u64, "byte");
        if stored >= MANY_STATES {
            let each = search.memory_bytes.states / stored;
            let _ = write!(states, ", {} per stored state", plural(each, "byte"));
        }
        let mut time = duration(search.seconds);
        if search.seconds >= MEASURABLE {
            let rate = stored as f64 / search.seconds;
            let _ = write!(time, ", {} states/s", count(rate as u64));
        }
        self.line(&format!("  state vector {states}; {time}"));
        if let Some(iterations) = search.owcty_iterations {
            let iterations = plural(iterations, "external iteration");
            self.line(&format!("  {iterations} of OWCTY"));
        }
        if search.endless_atomics > 0 {
            let paths = plural(search.endless_atomics, "path");
            self.line(&format!(
                "  {paths} into an atomic sequence that never terminates"
            ));
        }
        if let Some(states) = search.options.por_given_up {
            let states = plural(states, "state");
            self.line(&format!(
                "  partial-order reduction given up after {states}: it left out next to nothing"
            ));
        }
        self.checks(&search.options);
    }

    /// What checks of the reductions looked at.
    fn checks(&mut self, options: &Options) {
        if let Some(check) = &options.por_check {
            let states = plural(check.states as u64, "state");
            let reduced = count(check.reduced as u64);
            let rest = rest(check.complete);
            self.line(&format!(
                "  partial-order reduction checked: {states}, {reduced} of them reduced{rest}"
            ));
        }
        if let Some(check) = &options.symmetry_check {
            let states = plural(check.states as u64, "state");
            let exchanges = plural(check.exchanges as u64, "exchange");
            let rest = rest(check.complete);
            self.line(&format!(
                "  symmetry reduction checked: {states}, {exchanges}{rest}"
            ));
        }
    }

    fn time(&mut self, report: &Report) {
        let seconds = &report.seconds;
        let mut text = format!("{} to search", duration(seconds.search));
        if seconds.earlier > 0.0 {
            let earlier = duration(seconds.earlier);
            let _ = write!(text, " ({earlier} of it before the search was resumed)");
        }
        self.line(&format!(
            "  time: {text}, {} in total",
            duration(seconds.total)
        ));
    }

    fn memory(&mut self, report: &Report) {
        let memory = &report.memory_bytes;
        let known = memory.states + memory.stack;
        let of = match report.searches.len() {
            1 => "",
            _ => " of the largest search",
        };
        let parts = format!(
            "{} for states and {} for the stack{of}",
            size(memory.states),
            size(memory.stack)
        );
        self.line(&match memory.peak_rss.checked_sub(known) {
            Some(other) => format!(
                "  memory: {} at peak: {parts}, {} for everything else",
                size(memory.peak_rss),
                size(other)
            ),
            // Memory that was reserved and never touched is not resident.
            None => format!(
                "  memory: {parts}, {} resident at peak",
                size(memory.peak_rss)
            ),
        });
    }

    fn unreached(&mut self, report: &Report) {
        let statements = |report: &UnreachedReport| report.statements.len() as u64;
        let total: u64 = report.unreached.iter().map(statements).sum();
        let nothing = match report.exhaustive {
            true => report.unreached.is_empty(),
            false => total == 0,
        };
        if nothing || report.transitions == 0 {
            return;
        }
        self.line("");
        if !report.exhaustive {
            let total = plural(total, "statement");
            self.dim_line(&format!("{total} not reached so far"));
            return;
        }
        for proctype in &report.unreached {
            let name = printable(&proctype.proctype);
            if proctype.all {
                let place = self.style.dim(&printable(&proctype.location));
                self.line(&format!("  unreached: all of {name}  {place}"));
                continue;
            }
            self.statements(&format!("unreached in {name}"), &proctype.statements);
            self.statements(&format!("dead code in {name}"), &proctype.dead);
        }
    }

    /// The first of some statements under a heading, if there are any.
    fn statements(&mut self, heading: &str, statements: &[StatementReport]) {
        if statements.is_empty() {
            return;
        }
        self.line(&format!("  {heading}"));
        let listed = || statements.iter().take(MOST_UNREACHED);
        let width = listed().map(|s| s.location.chars().count()).max();
        let width = width.unwrap_or(0);
        for statement in listed() {
            let place = format!("{:width$}", printable(&statement.location));
            let place = self.style.dim(&place);
            let calls = self.style.dim(&calls(&statement.calls));
            let text = printable(&statement.text);
            self.line(&format!("    {place}  {text}{calls}"));
        }
        if let Some(more) = statements.len().checked_sub(MOST_UNREACHED + 1) {
            self.line(&format!("    ... and {} more", more + 1));
        }
    }

    fn verdict(&mut self, report: &Report) {
        let word = report.verdict.word();
        let word = match report.verdict {
            Verdict::Holds(_) => self.style.good(word),
            Verdict::Violated | Verdict::Error(_) => self.style.bad(word),
            Verdict::Inconclusive => self.style.open(word),
        };
        if self.begun {
            self.line("");
        }
        self.line(&format!("{word}: {}", printable(&conclusion(report))));
    }
}

/// The verdict in a sentence.
fn conclusion(report: &Report) -> String {
    let number = |wanted: fn(PropertyVerdict) -> bool| {
        let properties = report.properties.iter();
        properties.filter(|p| wanted(p.verdict)).count() as u64
    };
    let total = report.properties.len() as u64;
    let violated = number(|verdict| verdict == PropertyVerdict::Violated);
    let open = number(|verdict| verdict == PropertyVerdict::Inconclusive);
    let because = match &report.reason {
        Some(reason) => format!(": {reason}"),
        None => String::new(),
    };
    match report.verdict {
        Verdict::Holds(_) if total == 1 => format!("the property{}", executions(report)),
        Verdict::Holds(_) => {
            format!("all {} properties{}", count(total), executions(report))
        }
        Verdict::Violated => {
            let text = format!("{} of {}", count(violated), plural_properties(total));
            match open {
                0 => text,
                open => format!("{text}; {} not decided{because}", count(open)),
            }
        }
        Verdict::Inconclusive if total == 0 => report.reason.clone().unwrap_or_default(),
        Verdict::Inconclusive => {
            let held = total - open;
            let text = format!(
                "{} of {} not decided",
                count(open),
                plural_properties(total)
            );
            match held {
                0 => format!("{text}{because}"),
                held => format!("{text}, {} hold{because}", count(held)),
            }
        }
        Verdict::Error(_) => report.reason.clone().unwrap_or_default(),
    }
}

/// The executions in which properties hold: fairness is about those that are searched for cycles.
fn executions(report: &Report) -> String {
    let is_fair = report.options.fairness != "none";
    let for_cycles = |p: &&PropertyReport| p.search.is_some();
    let cycles = report.properties.iter().filter(for_cycles).count();
    let fairly = format!("in every {}ly fair execution", report.options.fairness);
    match cycles {
        0 => ", in every execution".to_owned(),
        _ if !is_fair => ", in every execution".to_owned(),
        cycles if cycles == report.properties.len() => format!(", {fairly}"),
        _ => format!(" (safety in every execution, the others {fairly})"),
    }
}

fn plural_properties(total: u64) -> String {
    match total {
        1 => "1 property".to_owned(),
        total => format!("{} properties", count(total)),
    }
}

/// How a job searches.
fn how(loaded: &Loaded, job: &Job) -> String {
    let mut parts = vec![search_name(job.algorithm.name()).to_owned()];
    parts.push(store_name(job.store_name()));
    let mut reductions = job.reduction_names();
    if reductions.is_empty() {
        reductions.push("no reduction");
    }
    parts.extend(reductions.into_iter().map(str::to_owned));
    let backend = checker::options::Named::name(job.backend);
    if backend != "jit" {
        parts.push(backend.to_owned());
    }
    let fairness = checker::options::Named::name(job.fairness);
    if fairness != "none" {
        parts.push(format!("{fairness} fairness"));
    }
    if loaded.model.lossy {
        parts.push("lossy channels".to_owned());
    }
    parts.join(", ")
}

/// The calls of inlines that a statement comes from, in parentheses.
fn calls(calls: &[FileCall]) -> String {
    let calls: Vec<String> = calls
        .iter()
        .map(|call| format!("{} called at {}", call.inline, printable(&call.location)))
        .collect();
    match calls.as_slice() {
        [] => String::new(),
        some => format!("  ({})", some.join(", ")),
    }
}

/// What a check by brute force left out.
fn rest(complete: bool) -> &'static str {
    match complete {
        true => "",
        false => "; the rest is too large to check",
    }
}

fn search_name(search: &str) -> &str {
    match search {
        "dfs" => "depth-first search",
        "bfs" => "breadth-first search",
        "depth-limited" => "depth-limited search",
        "shortening" => "depth-first search with shortening",
        "stateless" => "stateless search",
        "nested-dfs" => "nested depth-first search",
        "weak-dfs" => "depth-first search for cycles",
        "scc" => "search for strongly connected components",
        "owcty" => "breadth-first cycle elimination",
        other => other,
    }
}

fn store_name(store: &str) -> String {
    match store {
        "none" => "no store".to_owned(),
        store => format!("{store} store"),
    }
}
