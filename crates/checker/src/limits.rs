//! What ends a check early, and who is told how far it is.
//!
//! Searches keep their limits themselves, since they know what they store. Everything else
//! (loading, analysing, compiling) is cancelled by a watchdog thread through a [`CancelFlag`].

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use search::Progress;
use space::cancel::CancelFlag;

use crate::event::{Event, Phase, ProgressReport};
use crate::memory;

/// How often the watchdog looks at the clock and the memory.
const TICK: Duration = Duration::from_millis(20);

/// What loading, analysing and compiling may take in any case: a limit below it is meant for states.
const PREPARATION: u64 = 256 << 20;

/// Receives the events of a check. They come from several threads, one at a time.
pub type Listener<'a> = &'a (dyn Fn(&Event<'_>) + Sync);

/// How a caller follows a check and ends it.
#[derive(Clone, Default)]
pub struct Watch<'a> {
    /// Is told what happens.
    pub listener: Option<Listener<'a>>,
    /// Ends the check as soon as it is set, with what is known.
    pub cancel: CancelFlag,
    /// How often to report progress; never if it is none.
    pub progress: Option<Duration>,
    /// When the check began, if that was before the call: time limits count from here.
    pub started: Option<Instant>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("cancel", &self.cancel)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

/// What ended the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The caller.
    Interrupt,
    /// The clock.
    Time,
    /// The memory.
    Memory,
}

impl Limit {
    /// In words.
    pub fn reason(self) -> &'static str {
        match self {
            Limit::Interrupt => "interrupted",
            Limit::Time => "the time limit was reached",
            Limit::Memory => "the memory limit was reached",
        }
    }
}

/// What the threads of a check share.
pub(crate) struct Guard<'a> {
    listener: Option<Listener<'a>>,
    /// One event after the other.
    order: Mutex<()>,
    /// Set by the caller.
    asked: CancelFlag,
    /// Set whenever the work has to end.
    cancel: CancelFlag,
    /// Why: 0 for nothing yet. Relaxed: nothing but the number itself is passed on.
    why: AtomicU8,
    started: Instant,
    time: Option<Duration>,
    /// Bytes that the process may grow by outside of searches, which count what they store.
    memory: Option<u64>,
    interval: Option<Duration>,
    /// What is being done.
    now: Mutex<Now>,
    /// How far the search is.
    pub(crate) progress: Progress,
}

/// What is being done, since when.
#[derive(Clone, Debug)]
struct Now {
    phase: Phase,
    since: Instant,
    subject: String,
}

impl<'a> Guard<'a> {
    pub(crate) fn new(watch: &Watch<'a>, time: Option<Duration>, memory: Option<u64>) -> Guard<'a> {
        let started = watch.started.unwrap_or_else(Instant::now);
        Guard {
            listener: watch.listener,
            order: Mutex::new(()),
            asked: watch.cancel.clone(),
            cancel: CancelFlag::default(),
            why: AtomicU8::new(0),
            started,
            time,
            memory: memory.map(|bytes| bytes.max(PREPARATION)),
            interval: watch.progress,
            now: Mutex::new(Now {
                phase: Phase::Load,
                since: started,
                subject: String::new(),
            }),
            progress: Progress::default(),
        }
    }

    /// The flag that ends the work.
    pub(crate) fn flag(&self) -> &CancelFlag {
        &self.cancel
    }

    /// When the check began.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    /// The time that is left.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        self.time
            .map(|time| time.saturating_sub(self.started.elapsed()))
    }

    /// What ended the work, if something did.
    pub(crate) fn ended_by(&self) -> Option<Limit> {
        match self.why.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Limit::Interrupt),
            2 => Some(Limit::Time),
            _ => Some(Limit::Memory),
        }
    }

    /// Tell the listener.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        if let Some(listener) = self.listener {
            let _one_at_a_time = self.order.lock().unwrap_or_else(PoisonError::into_inner);
            listener(event);
        }
    }

    /// Begin a phase of the work on a subject: a property, or several.
    pub(crate) fn enter(&self, phase: Phase, subject: &str) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Now {
            phase,
            since: Instant::now(),
            subject: subject.to_owned(),
        };
        self.tell(&Event::Phase { phase, subject });
    }

    /// Do the work of a check under the eyes of a watchdog.
    pub(crate) fn watched<R>(&self, work: impl FnOnce() -> R) -> R {
        thread::scope(|scope| {
            // The watchdog ends when the sender goes, also when `work` panics.
            let (done, wait) = mpsc::channel::<()>();
            let spawned = thread::Builder::new().spawn_scoped(scope, move || self.watch(&wait));
            // Without a watchdog the searches still keep their own limits.
            drop(spawned);
            let result = work();
            drop(done);
            result
        })
    }

    fn watch(&self, wait: &mpsc::Receiver<()>) {
        let resident = memory::resident();
        let mut due = self.interval;
        while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if let Some(limit) = self.reached(resident) {
                self.end(limit);
            }
            let elapsed = self.started.elapsed();
            if let (Some(at), Some(interval)) = (due, self.interval)
                && elapsed >= at
            {
                due = Some(elapsed + interval);
                self.tell(&Event::Progress(self.report()));
            }
        }
    }

    /// The limit that was reached, if any.
    fn reached(&self, resident: u64) -> Option<Limit> {
        if self.asked.is_set() {
            return Some(Limit::Interrupt);
        }
        if self.remaining() == Some(Duration::ZERO) {
            return Some(Limit::Time);
        }
        let searching = self.now().phase == Phase::Search;
        let grown = || memory::resident().saturating_sub(resident);
        match self.memory {
            Some(limit) if !searching && grown() > limit => Some(Limit::Memory),
            _ => None,
        }
    }

    /// End the work. The first reason counts.
    fn end(&self, limit: Limit) {
        let number = match limit {
            Limit::Interrupt => 1,
            Limit::Time => 2,
            Limit::Memory => 3,
        };
        let first = (self.why).compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        if first.is_ok() {
            self.cancel.set();
        }
    }

    fn now(&self) -> Now {
        self.now
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn report(&self) -> ProgressReport {
        let now = self.now();
        let searching = now.phase == Phase::Search;
        let figure = |value: u64| if searching { value } else { 0 };
        ProgressReport {
            phase: now.phase,
            subject: now.subject,
            stored: figure(self.progress.stored()),
            transitions: figure(self.progress.transitions()),
            depth: figure(self.progress.depth()),
            errors: figure(self.progress.errors()),
            memory_bytes: figure(self.progress.memory_bytes()),
            phase_seconds: now.since.elapsed().as_secs_f64(),
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}
