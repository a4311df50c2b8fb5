//! The report for people. The words are Spin's.

use std::fmt::Write;

use super::style::{Style, printable};
use super::{ErrorReport, PropertyReport, Report, StatementReport, UnreachedReport};
use crate::plan::{PropertyVerdict, Verdict};
use crate::trace::file::FileCall;
use crate::units::{count, duration, plural, size};

/// The most violations that are described.
const MOST_ERRORS: usize = 20;
/// The most statements of a proctype that are listed as unreached.
const MOST_UNREACHED: usize = 20;

/// With fewer states the memory of the store is mostly that of its empty tables.
const MANY_STATES: u64 = 10_000;

/// How the report is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// Colours.
    pub style: Style,
    /// Only what is wrong and the verdict.
    pub quiet: bool,
}

/// The text of a report. `counterexample` is the first one, already in words.
pub fn render(report: &Report, counterexample: &str, layout: Layout) -> String {
    let mut printer = Printer {
        out: String::new(),
        style: layout.style,
    };
    if layout.quiet {
        printer.violations(report, "");
    } else {
        printer.heading(report);
        printer.properties(report);
        printer.violations(report, counterexample);
        printer.figures(report);
        printer.searches(report);
        printer.unreached(report);
    }
    printer.verdict(report);
    printer.out
}

struct Printer {
    out: String,
    style: Style,
}

impl Printer {
    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn heading(&mut self, report: &Report) {
        let options = &report.options;
        let reductions: Vec<&str> = (options.reduction.iter())
            .map(|&name| if name == "por" { "partial order" } else { name })
            .collect();
        let reduction = match reductions.as_slice() {
            [] => "no reduction".to_owned(),
            some => some.join(", "),
        };
        let mut how = format!(
            "{}, {}, {reduction}",
            search_name(options.search),
            store_name(options.store)
        );
        if options.backend != "jit" {
            let _ = write!(how, ", {}", options.backend);
        }
        if options.fairness != "none" {
            let _ = write!(how, ", {} fairness", options.fairness);
        }
        if options.lossy_channels {
            how.push_str(", lossy channels");
        }
        let model = self.style.bold(&printable(&report.model));
        let how = self.style.dim(&how);
        self.line(&format!("{model}  {how}"));
        if let Some(reason) = &options.por_reason {
            let reason = self
                .style
                .dim(&format!("no partial-order reduction: {reason}"));
            self.line(&format!("  {reason}"));
        }
        if let Some(check) = &options.por_check {
            let states = plural(check.states as u64, "state");
            let reduced = count(check.reduced as u64);
            let rest = rest(check.complete);
            let text = format!(
                "partial-order reduction checked: {states}, steps left out in {reduced}{rest}"
            );
            let text = self.style.dim(&text);
            self.line(&format!("  {text}"));
        }
        for line in options.symmetry.lines() {
            let line = self.style.dim(&printable(&line));
            self.line(&format!("  {line}"));
        }
        if let Some(check) = &options.symmetry_check {
            let states = plural(check.states as u64, "state");
            let exchanges = plural(check.exchanges as u64, "exchange");
            let rest = rest(check.complete);
            let text = format!("symmetry reduction checked: {states}, {exchanges}{rest}");
            let text = self.style.dim(&text);
            self.line(&format!("  {text}"));
        }
    }

    fn properties(&mut self, report: &Report) {
        self.line("");
        let width = |text: fn(&PropertyReport) -> &str| {
            let widths = report.properties.iter().map(|p| text(p).chars().count());
            widths.max().unwrap_or(0).min(60)
        };
        let words = width(|property| property.verdict.word());
        let names = width(|property| &property.title);
        for property in &report.properties {
            let word = format!("{:words$}", property.verdict.word());
            let word = match property.verdict {
                PropertyVerdict::Holds(_) => self.style.good(&word),
                PropertyVerdict::Violated => self.style.bad(&word),
                PropertyVerdict::Inconclusive => self.style.open(&word),
            };
            let name = printable(&property.title);
            let place = printable(property.location.as_deref().unwrap_or_default());
            let place = self.style.dim(&place);
            self.line(&format!("  {word}  {name:names$}  {place}"));
        }
        if !report.not_selected.is_empty() {
            let names = printable(&report.not_selected.join(", "));
            let text = self.style.dim(&format!("not selected: {names}"));
            self.line(&format!("  {text}"));
        }
    }

    fn violations(&mut self, report: &Report, counterexample: &str) {
        let mut errors = report.errors.iter().take(MOST_ERRORS);
        if !counterexample.is_empty()
            && let Some(first) = errors.next()
        {
            let steps = plural(first.steps as u64, "step");
            let heading = self.style.bold(&format!("counterexample of {steps}"));
            self.line("");
            self.line(&format!("{heading} {}", self.circumstances(first)));
            self.out.push_str(counterexample);
        }
        for (row, error) in errors.enumerate() {
            if row == 0 && !self.out.is_empty() {
                self.line("");
            }
            let message = self.style.bad(&printable(&error.message));
            self.line(&format!("{message} {}", self.circumstances(error)));
        }
        if let Some(more) = report.errors.len().checked_sub(MOST_ERRORS + 1) {
            self.line(&format!("... and {} more", count(more as u64 + 1)));
        }
    }

    /// Where and how often a violation was met, and where its trace is.
    fn circumstances(&self, error: &ErrorReport) -> String {
        let mut text = format!("at depth {}", error.depth);
        if error.count > 1 {
            let _ = write!(text, ", {} times", count(error.count));
        }
        if let Some(trace) = &error.trace {
            let _ = write!(text, ", trace in {}", printable(trace));
        }
        self.style.dim(&format!("({text})"))
    }

    fn figures(&mut self, report: &Report) {
        if report.seconds.search == 0.0 && report.states.stored == 0 {
            return;
        }
        let (stored, memory) = (report.states.stored, &report.memory_bytes);
        self.line("");
        let matched = report.states.matched;
        let visited = report.transitions - matched;
        let (visits, sum) = match visited > stored {
            false => (String::new(), "stored"),
            true => (format!(" ({} visited)", count(visited)), "visited"),
        };
        self.line(&format!(
            "  {} stored{visits}, {} matched, {} (= {sum} + matched)",
            plural(stored, "state"),
            count(matched),
            plural(report.transitions, "transition"),
        ));
        self.line(&format!(
            "  {}, depth reached {}, {}",
            plural(report.atomic_steps, "atomic step"),
            count(report.depth),
            plural(report.error_count, "error"),
        ));
        if let Some(iterations) = report.owcty_iterations {
            let iterations = plural(iterations, "external iteration");
            self.line(&format!("  {iterations} of OWCTY"));
        }
        if let Some(trouble) = &report.trouble {
            self.line(&format!("  {}", printable(trouble)));
        }
        if report.endless_atomics > 0 {
            self.line(&format!(
                "  {} in an atomic sequence that never ends",
                plural(report.endless_atomics, "path"),
            ));
        }
        let mut time = format!("{} to search", duration(report.seconds.search));
        // Over shorter times a rate is only noise.
        if report.seconds.search >= 0.1 {
            let rate = stored as f64 / report.seconds.search;
            let _ = write!(time, ", {} states/s", count(rate as u64));
        }
        let total = duration(report.seconds.total);
        self.line(&format!("  {time}; {total} in all"));
        let mut states = format!(
            "state vector {}",
            plural(report.states.longest as u64, "byte")
        );
        if stored >= MANY_STATES {
            let each = memory.states / stored;
            let _ = write!(states, ", {} per stored state", plural(each, "byte"));
        }
        self.line(&format!(
            "  memory: {} for states ({states}), {} for the stack, {} at the peak",
            size(memory.states),
            size(memory.stack),
            size(memory.peak_rss),
        ));
    }

    /// The figures of properties with a search of their own, if there was another search.
    fn searches(&mut self, report: &Report) {
        let own = report.properties.iter();
        let own: Vec<_> = own.filter_map(|p| Some((p, p.search.as_ref()?))).collect();
        if own.len() == report.properties.len() && own.len() <= 1 {
            return;
        }
        if !own.is_empty() {
            self.line("");
        }
        for (property, search) in own {
            let name = printable(&property.title);
            let how = self.style.dim(search_name(search.options.search));
            let iterations = (search.owcty_iterations).map_or_else(String::new, |iterations| {
                format!(", {}", plural(iterations, "external iteration"))
            });
            self.line(&format!(
                "  {name}: {} stored, {} matched, depth reached {}{iterations}  {how}",
                plural(search.states.stored, "state"),
                count(search.states.matched),
                count(search.depth),
            ));
        }
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
            self.line(&self.style.dim(&format!("  {total} not reached so far")));
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
        let total = report.properties.len() as u64;
        let word = report.verdict.word();
        let word = match report.verdict {
            Verdict::Holds(_) => self.style.good(word),
            Verdict::Violated | Verdict::Error(_) => self.style.bad(word),
            Verdict::Inconclusive => self.style.open(word),
        };
        let violated = |p: &&PropertyReport| p.verdict == PropertyVerdict::Violated;
        let text = match report.verdict {
            Verdict::Holds(_) => match total {
                1 => "the property, in every execution".to_owned(),
                _ => format!("all {} properties, in every execution", count(total)),
            },
            Verdict::Violated => {
                let violated = report.properties.iter().filter(violated).count() as u64;
                let of = format!("{} of {} properties", count(violated), count(total));
                match &report.reason {
                    Some(reason) => format!("{of}; {reason}"),
                    None => of,
                }
            }
            Verdict::Inconclusive | Verdict::Error(_) => report.reason.clone().unwrap_or_default(),
        };
        if !self.out.is_empty() {
            self.line("");
        }
        self.line(&format!("{word}: {}", printable(&text)));
    }
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
        "scc" => "search for components",
        "owcty" => "breadth-first search for cycles",
        other => other,
    }
}

fn store_name(store: &str) -> String {
    match store {
        "none" => "no store".to_owned(),
        store => format!("{store} store"),
    }
}
