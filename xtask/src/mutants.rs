//! `mutants`: plants single-line faults and shows that the random tests find each.
//!
//! The tree is copied, one fault at a time is put into the copy, and one of the tests that are named
//! for it must fail there. Without a fault all of them must pass.

mod list;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use self::list::{MUTANTS, Mutant};
use crate::cargo::TEST_PROFILE;
use crate::process::{self, Ending};

/// A build and its tests take no longer.
const LIMIT: Duration = Duration::from_secs(600);

/// What became of a fault.
enum Fate {
    /// This test failed.
    Found(&'static str, Duration),
    /// All passed.
    Survived,
    /// A test took too long to tell.
    Endless,
    /// The line is not there, or more than once.
    Stale,
    /// It is no program any more.
    Broken,
}

/// Plant the faults, or only those of some numbers; true if all are found.
pub fn run(only: &[usize], count: u64, seed: u64) -> io::Result<bool> {
    let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let bench = Bench {
        copy: root.join("target/mutants/tree"),
        build: root.join("target/mutants/build"),
        root,
        count,
        seed,
    };
    bench.copy_tree()?;
    let mut good = bench.passes_without()?;
    let numbered = (1..).zip(MUTANTS);
    for (number, mutant) in numbered.filter(|(number, _)| only.is_empty() || only.contains(number))
    {
        let fate = bench.plant(mutant)?;
        let text = match &fate {
            Fate::Found(name, after) => {
                let after = after.as_secs();
                format!("found by {}::{name} in {after} s", mutant.test)
            }
            Fate::Survived => format!("SURVIVED {}", mutant.test),
            Fate::Endless => format!("NOT DECIDED: {} takes too long", mutant.test),
            Fate::Stale => format!("STALE: not once in {}", mutant.file),
            Fate::Broken => "BROKEN: does not compile".to_owned(),
        };
        good &= matches!(fate, Fate::Found(..));
        println!("{number:>3} {text}: {}", mutant.fault);
    }
    Ok(good)
}

/// Where faults are planted.
struct Bench {
    root: PathBuf,
    copy: PathBuf,
    build: PathBuf,
    count: u64,
    seed: u64,
}

impl Bench {
    /// Copy the files of the project that are not as they were copied before, so that what has not
    /// changed is not built again.
    fn copy_tree(&self) -> io::Result<()> {
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(&self.root)
            .output()?;
        for file in String::from_utf8_lossy(&listed.stdout).lines() {
            let (from, to) = (self.root.join(file), self.copy.join(file));
            let Ok(text) = fs::read(&from) else {
                continue;
            };
            if fs::read(&to).is_ok_and(|old| old == text) {
                continue;
            }
            if let Some(dir) = to.parent() {
                fs::create_dir_all(dir)?;
            }
            fs::write(to, text)?;
        }
        Ok(())
    }

    /// Whether the tests pass without a fault: otherwise it means nothing that they fail with one.
    fn passes_without(&self) -> io::Result<bool> {
        let mut seen: Vec<(&str, &[&str])> = Vec::new();
        for mutant in MUTANTS {
            if seen.contains(&(mutant.test, mutant.only)) {
                continue;
            }
            seen.push((mutant.test, mutant.only));
            let fate = self.test(mutant)?;
            if !matches!(fate, Fate::Survived) {
                println!("  0 {} FAILS WITHOUT A FAULT", mutant.test);
                return Ok(false);
            }
            println!("  0 {} passes without a fault", mutant.test);
        }
        Ok(true)
    }

    /// Put a fault into the copy, run its tests, and take it out again.
    fn plant(&self, mutant: &Mutant) -> io::Result<Fate> {
        let file = self.copy.join(mutant.file);
        let text = fs::read_to_string(&file)?;
        if text.matches(mutant.line).count() != 1 {
            return Ok(Fate::Stale);
        }
        fs::write(&file, text.replace(mutant.line, mutant.by))?;
        let fate = self.test(mutant);
        fs::write(&file, text)?;
        fate
    }

    fn test(&self, mutant: &Mutant) -> io::Result<Fate> {
        let log = self.build.with_extension("log");
        let mut build = self.cargo(mutant, &["--no-run"]);
        process::log_to(&mut build, &log)?;
        if process::run_or_kill(&mut build, LIMIT)? != Ending::Exit(0) {
            return Ok(Fate::Broken);
        }
        let started = Instant::now();
        for name in mutant.only {
            let mut test = self.cargo(mutant, &["--", "--exact", name]);
            process::log_to(&mut test, &log)?;
            match process::run_or_kill(&mut test, LIMIT)? {
                Ending::Exit(0) => {}
                Ending::TimedOut => return Ok(Fate::Endless),
                _ => return Ok(Fate::Found(name, started.elapsed())),
            }
        }
        Ok(Fate::Survived)
    }

    /// Build quickly: what the tests compare does not depend on how the code is optimised.
    fn cargo(&self, mutant: &Mutant, more: &[&str]) -> Command {
        let mut command = process::command("cargo", LIMIT);
        command
            .args(["test", "--profile", TEST_PROFILE])
            .args(["--package", "checker", "--test", mutant.test])
            .args(more)
            .current_dir(&self.copy)
            .env("CARGO_TARGET_DIR", &self.build)
            .env("CARGO_PROFILE_CI_INCREMENTAL", "true")
            .env("CARGO_PROFILE_CI_OPT_LEVEL", "1")
            .env("SPINOR_COUNT", self.count.to_string())
            .env("SPINOR_SEED", self.seed.to_string());
        command
    }
}
