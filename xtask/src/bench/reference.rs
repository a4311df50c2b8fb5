//! Spin: from the model to a tuned verifier, and the searches of that.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::measure::{self, Sample, Usage};
use super::set::{Kind, Size};
use crate::pan;
use crate::process;

/// No dataflow optimisation, no dead-variable reset, no merging: the state space that we search.
pub const TRANSLATE: [&str; 4] = ["-o1", "-o2", "-o3", "-a"];
/// As fast as the verifier can be without reduction; the limit on memory, in megabytes, is not met.
const COMPILE: [&str; 5] = ["-O3", "-w", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=16000"];
/// Bits of the array for one state, at least: few states are then taken for known ones.
const BITS_PER_STATE: u64 = 64;
const MEGABYTE: f64 = 1_048_576.0;

/// A compiled verifier.
pub struct Verifier {
    dir: TempDir,
    kind: Kind,
    size: Size,
    /// Processor time of translation and compilation, in seconds.
    pub preparation: f64,
}

/// The versions of Spin and of the C compiler, if both are there.
pub fn versions() -> Option<String> {
    let output = |program: &str, flag: &str| {
        let mut command = Command::new(program);
        let output = command.arg(flag).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let spin = output("spin", "-V")?;
    // `Spin Version 6.5.2 -- 6 December 2019`
    let spin = spin.split(" -- ").next()?.replace("Version ", "");
    Some(format!("{spin}, gcc {}", output("gcc", "-dumpversion")?))
}

impl Verifier {
    /// Translates and compiles a model.
    pub fn prepare(model: &Path, size: Size, kind: Kind) -> io::Result<Verifier> {
        let dir = tempfile::tempdir()?;
        let mut spin = process::command("spin", measure::LIMIT);
        spin.args(size.defines.iter().map(|define| format!("-D{define}")));
        spin.args(TRANSLATE).arg(model);
        let (_, translated) = stage(&dir, "spin", &mut spin)?;

        let mut gcc = process::command("gcc", measure::LIMIT);
        gcc.args(COMPILE);
        gcc.args((kind == Kind::Bitstate).then_some("-DBITSTATE"));
        gcc.args(["-o", "pan", "pan.c"]);
        let (_, compiled) = stage(&dir, "gcc", &mut gcc)?;
        Ok(Verifier {
            dir,
            kind,
            size,
            preparation: translated.cpu + compiled.cpu,
        })
    }

    /// Searches once, with a table and a stack that fit.
    pub fn search(&self) -> io::Result<Sample> {
        let mut command = process::command("./pan", measure::LIMIT);
        command.args(flags(self.size, self.kind));
        let (log, usage) = stage(&self.dir, "pan", &mut command)?;
        let report = pan::parse(log.lines()).ok_or_else(|| failed("pan", &log))?;
        if report.errors > 0 || report.truncated || !report.complete || report.out_of_memory {
            return Err(failed("pan", &log));
        }
        let states = memory(&log).ok_or_else(|| failed("pan", &log))?;
        Ok(Sample {
            stored: report.counts.stored,
            // The printed sum is rounded earlier than its parts.
            transitions: report.counts.stored + report.counts.matched,
            cpu: usage.cpu,
            search: usage.cpu,
            peak: usage.peak,
            states,
        })
    }
}

/// The bits of a bitstate search, the same for both.
pub fn bits(size: Size) -> u64 {
    (size.stored * BITS_PER_STATE).next_power_of_two()
}

/// The options of a verifier: the table has about one slot for each state.
fn flags(size: Size, kind: Kind) -> Vec<String> {
    match kind {
        Kind::Exact => tuned(size).into(),
        Kind::Bitstate => {
            let [all, depth, _] = tuned(size);
            vec![all, depth, table(bits(size)), "-k3".to_owned()]
        }
    }
}

/// The options of a verifier that keeps all states: it does not end at an error, and stack
/// and table fit.
pub fn tuned(size: Size) -> [String; 3] {
    let depth = size.depth + size.depth / 10 + 1000;
    ["-c0".to_owned(), format!("-m{depth}"), table(size.stored)]
}

fn table(slots: u64) -> String {
    format!("-w{}", slots.next_power_of_two().ilog2())
}

/// Memory for states and their table in bytes, as the report of a verifier gives it.
///
/// The stack is not part of it.
pub fn memory(report: &str) -> Option<u64> {
    let line = |what: &str| {
        report.lines().find_map(|line| {
            let (number, rest) = line.trim_start().split_once(['\t', ' '])?;
            let megabytes: f64 = number.parse().ok()?;
            rest.starts_with(what).then_some(megabytes)
        })
    };
    let megabytes = match line("memory used for hash array") {
        Some(bits) => bits,
        None => line("actual memory usage for states")? + line("memory used for hash table")?,
    };
    Some((megabytes * MEGABYTE) as u64)
}

/// Runs one program in `dir`; what it printed and what it used.
pub fn stage(dir: &TempDir, name: &str, command: &mut Command) -> io::Result<(String, Usage)> {
    let path = dir.path().join(name).with_extension("log");
    process::log_to(command.current_dir(dir.path()), &path)?;
    let (status, usage) = measure::run(command)?;
    let log = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
    if !status.success() {
        return Err(failed(name, &log));
    }
    Ok((log, usage))
}

/// The error of a program that did not succeed.
pub fn failed(name: &str, log: &str) -> io::Error {
    io::Error::other(format!("{name} did not do its work:\n{log}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_the_states() {
        let size = Size {
            defines: &[],
            stored: 1_726_040,
            depth: 300_000,
        };
        let exact = flags(size, Kind::Exact);
        assert_eq!(exact, ["-c0", "-m331000", "-w21"]);
        let bits = flags(size, Kind::Bitstate);
        assert_eq!(bits, ["-c0", "-m331000", "-w27", "-k3"]);
    }

    #[test]
    fn memory_of_an_exact_search() {
        let report = "\
hash conflicts:   1425346 (resolved)

Stats on memory usage (in Megabytes):
  105.349\tequivalent memory usage for states (stored*(State-vector + overhead))
   79.500\tactual memory usage for states (compression: 75.28%)
         \tstate-vector as stored = 28 byte + 20 byte overhead
   16.000\tmemory used for hash table (-w21)
   18.311\tmemory used for DFS stack (-m400000)
  113.510\ttotal actual memory usage
";
        assert_eq!(memory(report), Some(95 * 1_048_576 + 524_288));
    }

    #[test]
    fn memory_of_a_bitstate_search() {
        let report = "\
Stats on memory usage (in Megabytes):
   92.179\tequivalent memory usage for states (stored*(State-vector + overhead))
   16.000\tmemory used for hash array (-w27)
   18.311\tmemory used for DFS stack (-m400000)
   34.506\ttotal actual memory usage
";
        assert_eq!(memory(report), Some(16 * 1_048_576));
    }

    #[test]
    fn no_memory_without_a_report() {
        assert_eq!(memory("pan: out of memory\n"), None);
    }
}
