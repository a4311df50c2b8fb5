//! The lines that show how a long search is getting on.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::Progress;

use crate::units;

/// Shorter searches show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line on a terminal is drawn.
const INTERVAL: Duration = Duration::from_millis(200);

/// What to show on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// No line at all.
    Nothing,
    /// One line, drawn again and again.
    Line,
    /// A line each time that so much time has passed.
    Lines(Duration),
}

impl Show {
    /// A line on a terminal unless all should be quiet, or lines if they are asked for.
    pub fn new(every: Option<Duration>, quiet: bool) -> Show {
        match every {
            Some(every) => Show::Lines(every),
            None if quiet || !std::io::stderr().is_terminal() => Show::Nothing,
            None => Show::Line,
        }
    }
}

/// Run `work`, and show its progress.
pub fn watch<R>(progress: &Progress, show: Show, work: impl FnOnce() -> R) -> R {
    if show == Show::Nothing {
        return work();
    }
    thread::scope(|scope| {
        // The watcher ends when the sender goes, also when `work` panics.
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || match show {
            Show::Lines(every) => write(progress, every, &wait),
            _ => draw(progress, &wait),
        });
        let result = work();
        drop(done);
        result
    })
}

/// Write lines, each at its time, however long writing takes.
fn write(progress: &Progress, every: Duration, wait: &mpsc::Receiver<()>) {
    let started = Instant::now();
    let mut due = every;
    while wait.recv_timeout(due.saturating_sub(started.elapsed())) == Err(RecvTimeoutError::Timeout)
    {
        // There is more room than on a terminal. Nobody may listen any more.
        let line = line(progress, started.elapsed());
        let transitions = units::count(progress.transitions());
        let _ = writeln!(std::io::stderr(), "{line}, {transitions} transitions");
        due += every;
    }
}

fn draw(progress: &Progress, wait: &mpsc::Receiver<()>) {
    let started = Instant::now();
    if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    loop {
        bar.set_message(line(progress, started.elapsed()));
        bar.tick();
        if wait.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    bar.finish_and_clear();
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let stored = progress.stored();
    let rate = stored as f64 / elapsed.as_secs_f64().max(0.001);
    let mut text = format!(
        "{} states stored, {}/s, depth {}, {}, {}",
        units::count(stored),
        units::count(rate as u64),
        units::count(progress.depth()),
        units::size(progress.memory_bytes()),
        units::duration(elapsed.as_secs_f64()),
    );
    if progress.errors() > 0 {
        text.push_str(&format!(", {}", units::plural(progress.errors(), "error")));
    }
    text
}
