//! `soak`: the random tests again and again, each time with seeds that were not tried before.

mod list;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use self::list::{RANDOM, RandomTest};
use crate::cargo::{self, TestBinary};
use crate::process::{self, Ending};

/// How long, and from where.
pub struct Options {
    /// Until when.
    pub time: Duration,
    /// The first seed.
    pub seed: u64,
    /// Tests at the same time.
    pub jobs: usize,
}

/// What became of a run of a test.
enum Fate {
    Passed,
    Failed,
    /// The time was up.
    Unfinished,
}

/// Runs the random tests until the time is up or one fails; true if none does.
pub fn run(options: &Options) -> io::Result<bool> {
    let binaries = cargo::test_binaries()?;
    let found: Vec<_> = RANDOM
        .iter()
        .map(|test| Ok((test, test.binary(&binaries)?)))
        .collect::<io::Result<_>>()?;
    println!("seed {}", options.seed);
    let soak = Soak {
        tests: found,
        seed: options.seed,
        end: Instant::now() + options.time,
        logs: tempfile::tempdir()?,
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        error: Mutex::new(None),
    };
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| soak.work());
        }
    });
    println!("{} runs", soak.next.load(Ordering::Relaxed));
    let error = soak.error.into_inner().unwrap_or_default();
    match error {
        Some(error) => Err(error),
        None => Ok(!soak.stop.into_inner()),
    }
}

/// A soak under way.
struct Soak<'a> {
    tests: Vec<(&'static RandomTest, &'a TestBinary)>,
    seed: u64,
    end: Instant,
    logs: tempfile::TempDir,
    /// The number of the next run.
    next: AtomicU64,
    /// Whether a test failed.
    stop: AtomicBool,
    /// What went wrong with running them.
    error: Mutex<Option<io::Error>>,
}

impl Soak<'_> {
    /// Takes one run after the other.
    fn work(&self) {
        // Relaxed: the counter only hands out numbers, and a late stop costs one more run.
        while Instant::now() < self.end && !self.stop.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            match self.run(number) {
                Ok(Fate::Passed | Fate::Unfinished) => {}
                Ok(Fate::Failed) => self.stop.store(true, Ordering::Relaxed),
                Err(error) => {
                    self.stop.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = self.error.lock() {
                        first.get_or_insert(error);
                    }
                }
            }
        }
    }

    fn run(&self, number: u64) -> io::Result<Fate> {
        let tests = self.tests.len() as u64;
        let (test, binary) = self.tests[(number % tests) as usize];
        let round = number / tests;
        let seed = self.seed.wrapping_add(round * test.count);
        let log = self.logs.path().join(number.to_string());
        let start = Instant::now();
        let left = self.end.saturating_duration_since(start);
        let ending = run_test(test, binary, seed, &log, left)?;
        let title = format!(
            "{}::{} SPINOR_SEED={seed} SPINOR_COUNT={}",
            binary.name(),
            test.name,
            test.count
        );
        let fate = match ending {
            Ending::Exit(0) => {
                println!("{title}: passed in {:.0} s", start.elapsed().as_secs_f64());
                Fate::Passed
            }
            Ending::TimedOut => {
                println!("{title}: not finished in time");
                Fate::Unfinished
            }
            _ => {
                println!("{title}: FAILED\n{}", fs::read_to_string(&log)?);
                println!("again: {}", again(test, binary, seed));
                Fate::Failed
            }
        };
        fs::remove_file(&log)?;
        Ok(fate)
    }
}

fn run_test(
    test: &RandomTest,
    binary: &TestBinary,
    seed: u64,
    log: &Path,
    limit: Duration,
) -> io::Result<Ending> {
    let mut command = process::command(&binary.path, limit);
    command
        .args(["--exact", test.name])
        .current_dir(&binary.dir)
        .env("CARGO_MANIFEST_DIR", &binary.dir)
        .env("SPINOR_SEED", seed.to_string())
        .env("SPINOR_COUNT", test.count.to_string());
    process::log_to(&mut command, log)?;
    process::run_or_kill(&mut command, limit)
}

/// A command line that repeats a run.
fn again(test: &RandomTest, binary: &TestBinary, seed: u64) -> String {
    format!(
        "SPINOR_SEED={seed} SPINOR_COUNT={} cargo test --profile {} --package {} --test {} -- \
         --exact {}",
        test.count,
        cargo::TEST_PROFILE,
        binary.package,
        binary.target,
        test.name
    )
}
