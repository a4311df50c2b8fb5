//! The line that shows how a long search is getting on.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::Progress;

use crate::units;

/// Shorter searches show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is drawn.
const INTERVAL: Duration = Duration::from_millis(200);

/// Run `work`, and show its progress on standard error if that is a terminal.
pub fn watch<R>(progress: &Progress, quiet: bool, work: impl FnOnce() -> R) -> R {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        // The watcher ends when the sender goes, also when `work` panics.
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || draw(progress, &wait));
        let result = work();
        drop(done);
        result
    })
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
