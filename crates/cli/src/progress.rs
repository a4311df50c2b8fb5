//! The lines that show how far a long check is.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use checker::units;
use checker::{Phase, ProgressReport};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A check shows nothing before this.
const DELAY: Duration = Duration::from_millis(500);
/// How often the line on a terminal is drawn.
const INTERVAL: Duration = Duration::from_millis(200);

/// What to show on standard error.
pub enum Display {
    /// No line at all.
    Nothing,
    /// One line, drawn again and again.
    Line(ProgressBar),
    /// A line each time that so much time has passed.
    Lines(Duration),
}

impl Display {
    /// A line on a terminal unless all should be quiet, or lines if they are asked for.
    pub fn new(every: Option<Duration>, quiet: bool) -> Display {
        match every {
            Some(every) => Display::Lines(every),
            None if quiet || !std::io::stderr().is_terminal() => Display::Nothing,
            None => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                    bar.set_style(style);
                }
                Display::Line(bar)
            }
        }
    }

    /// How often progress is to be reported.
    pub fn interval(&self) -> Option<Duration> {
        match self {
            Display::Nothing => None,
            Display::Line(_) => Some(INTERVAL),
            Display::Lines(every) => Some(*every),
        }
    }

    /// Show how far the work is.
    pub fn show(&self, progress: &ProgressReport) {
        match self {
            Display::Nothing => {}
            Display::Line(bar) => {
                if progress.seconds >= DELAY.as_secs_f64() {
                    bar.set_message(line(progress));
                    bar.tick();
                }
            }
            Display::Lines(_) => {
                // There is more room than on a terminal. Nobody may listen any more.
                let transitions = units::count(progress.transitions);
                let line = line(progress);
                let _ = writeln!(std::io::stderr(), "{line}, {transitions} transitions");
            }
        }
    }

    /// Print something while no line is in the way.
    pub fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match self {
            Display::Line(bar) => bar.suspend(print),
            _ => print(),
        }
    }

    /// Remove the line.
    pub fn end(&self) {
        if let Display::Line(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn line(progress: &ProgressReport) -> String {
    let elapsed = units::duration(progress.seconds);
    if progress.phase != Phase::Search {
        let doing = match progress.phase {
            Phase::Load => "reading the model",
            Phase::Plan => "analysing the model",
            Phase::Prepare | Phase::Search => "preparing the search",
        };
        return match progress.subject.as_str() {
            "" => format!("{doing}, {elapsed}"),
            subject => format!("{subject}: {doing}, {elapsed}"),
        };
    }
    let mut text = format!(
        "{}: {} states stored, {}/s, depth {}, {}, {elapsed}",
        progress.subject,
        units::count(progress.stored),
        units::count(progress.rate() as u64),
        units::count(progress.depth),
        units::size(progress.memory_bytes),
    );
    if progress.errors > 0 {
        text.push_str(&format!(", {}", units::plural(progress.errors, "error")));
    }
    text
}
