//! Spin's verifier, built for cycles.

use std::io;
use std::path::Path;

use super::super::measure::{self, Sample};
use super::super::reference::{TRANSLATE, failed, memory, stage, tuned};
use super::super::set::Size;
use super::run::Run;
use super::set::Fairness;
use crate::{pan, process};
use tempfile::TempDir;

/// As fast as a verifier of products can be without reduction.
const COMPILE: [&str; 4] = ["-O3", "-w", "-DNOREDUCE", "-DMEMLIM=16000"];

/// A compiled verifier of a model with a claim.
pub struct Verifier {
    dir: TempDir,
    size: Size,
    fairness: Fairness,
}

impl Verifier {
    /// Translates and compiles a model.
    pub fn prepare(model: &Path, size: Size, fairness: Fairness) -> io::Result<Verifier> {
        let dir = tempfile::tempdir()?;
        let mut spin = process::command("spin", measure::LIMIT);
        spin.args(size.defines.iter().map(|define| format!("-D{define}")));
        spin.args(TRANSLATE).arg(model);
        stage(&dir, "spin", &mut spin)?;

        let mut gcc = process::command("gcc", measure::LIMIT);
        gcc.args(COMPILE).arg(match fairness {
            Fairness::None => "-DNOFAIR".to_owned(),
            Fairness::Weak { nfair } => format!("-DNFAIR={nfair}"),
        });
        gcc.args(["-o", "pan", "pan.c"]);
        stage(&dir, "gcc", &mut gcc)?;
        Ok(Verifier {
            dir,
            size,
            fairness,
        })
    }

    /// Searches once for cycles, with a table and a stack that fit.
    pub fn search(&self) -> io::Result<Run> {
        let mut command = process::command("./pan", measure::LIMIT);
        command.args(tuned(self.size)).arg("-a");
        command.args((self.fairness != Fairness::None).then_some("-f"));
        let (log, usage) = stage(&self.dir, "pan", &mut command)?;
        let report = pan::parse(log.lines()).ok_or_else(|| failed("pan", &log))?;
        if report.errors > 0 || report.truncated || !report.complete || report.out_of_memory {
            return Err(failed("pan", &log));
        }
        let counts = report.counts;
        Ok(Run {
            sample: Sample {
                stored: counts.stored,
                transitions: counts.transitions,
                cpu: usage.cpu,
                search: usage.cpu,
                peak: usage.peak,
                states: memory(&log).ok_or_else(|| failed("pan", &log))?,
            },
            // Numbers with more than eight digits are rounded.
            visited: counts.transitions.saturating_sub(counts.matched),
        })
    }
}
