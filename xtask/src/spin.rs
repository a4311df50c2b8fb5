//! Runs the reference: Spin, the C compiler, and the verifier they make.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::cache::{Cache, Key};
use crate::outcome::{Limit, Outcome, Search, Stage, Unfinished};
use crate::pan::{self, Report};
use crate::process::{self, Ending};
use crate::question::Question;

/// No dataflow optimisation, no dead-variable reset, no merging: the plain state space.
const TRANSLATE: [&str; 4] = ["-o1", "-o2", "-o3", "-a"];
/// The largest state vector, in bytes. It is the bound of some buffers and changes no count.
const VECTOR: u64 = 4096;
/// The largest state vector of a verifier that is compiled without saying.
const DEFAULT_VECTOR: u64 = 1024;
/// Spin's own call of the preprocessor.
const PREPROCESS: [&str; 4] = ["-std=gnu99", "-E", "-x", "c"];
/// Least time for translation and compilation: a busy machine is no property of a model.
const PREPARATION: Duration = Duration::from_secs(120);
/// Nothing in a model sends it: the machine ran out of memory.
const SIGKILL: i32 = 9;
/// The keywords of embedded C.
const EMBEDDED: [&str; 5] = ["c_code", "c_expr", "c_decl", "c_state", "c_track"];

/// How to run the reference.
pub struct Runner {
    /// Wall-clock limit of the search.
    pub time: Duration,
    /// Memory limit of the verifier.
    pub megabytes: u64,
    /// Optimisation level of the C compiler: 0 pays for models of a few states.
    pub optimise: u8,
    /// Store states compressed without loss, which changes no count but takes more time.
    pub collapse: bool,
    /// Where results are kept.
    pub cache: Option<Cache>,
}

impl Runner {
    /// What is found about safety in `model`, from the cache if it has it.
    pub fn run(&self, model: &Path) -> io::Result<Outcome> {
        self.ask(model, &Question::Safety)
    }

    /// The answer to a question about `model`, from the cache if it has one.
    pub fn ask(&self, model: &Path, question: &Question) -> io::Result<Outcome> {
        let model = fs::canonicalize(model)?;
        let text = preprocess(&model)?;
        if text.as_deref().is_some_and(embeds_c) {
            return Ok(Outcome::EmbeddedC);
        }
        // Without preprocessed text nothing says which files the outcome depends on.
        let Some((cache, text)) = self.cache.as_ref().zip(text) else {
            return self.search(&model, question);
        };
        let key = Key::new(&[&command_line("MODEL", VECTOR, question), &text]);
        if let Some(known) = cache.get(key)?
            && self.still_holds(&known)
        {
            return Ok(known);
        }
        let outcome = self.search(&model, question)?;
        cache.put(key, &outcome)?;
        Ok(outcome)
    }

    /// An unfinished run is worth repeating only with more of what it lacked.
    fn still_holds(&self, known: &Outcome) -> bool {
        match known {
            Outcome::Unfinished(unfinished) => match unfinished.limit {
                Limit::Time => self.time.as_secs() <= unfinished.seconds,
                Limit::Memory => self.megabytes <= unfinished.megabytes,
                Limit::Vector => true,
            },
            _ => true,
        }
    }

    /// Translates, compiles and searches in a directory of its own.
    ///
    /// The model stays where it is: the preprocessor looks for included files beside
    /// the file that includes them, and everything Spin writes goes to the current directory.
    fn search(&self, model: &Path, question: &Question) -> io::Result<Outcome> {
        let dir = tempfile::tempdir()?;
        let mut spin = self.command(&dir, "spin");
        spin.args(TRANSLATE).arg(model);
        let (ending, log) = self.stage(&dir, Stage::Spin, &mut spin)?;
        match ending {
            Ending::TimedOut => return Ok(self.unfinished(Limit::Time, None)),
            Ending::Exit(0) if dir.path().join("pan.c").exists() => {}
            _ => return rejected(Stage::Spin, ending, &log, model),
        }

        let mut gcc = self.command(&dir, "gcc");
        gcc.arg(format!("-O{}", self.optimise)).arg("-w");
        gcc.args(question.compile())
            .arg(format!("-DVECTORSZ={VECTOR}"));
        gcc.arg(format!("-DMEMLIM={}", self.megabytes));
        gcc.args(self.collapse.then_some("-DCOLLAPSE"));
        gcc.args(["-o", "pan", "pan.c"]);
        let (ending, log) = self.stage(&dir, Stage::Gcc, &mut gcc)?;
        match ending {
            Ending::TimedOut => return Ok(self.unfinished(Limit::Time, None)),
            Ending::Exit(0) => {}
            _ => return rejected(Stage::Gcc, ending, &log, model),
        }

        let mut pan = self.command(&dir, "./pan");
        pan.args(question.search());
        let (ending, log) = self.stage(&dir, Stage::Pan, &mut pan)?;
        let report = pan::parse(lines(&log)?);
        Ok(match (ending, report) {
            (Ending::TimedOut, report) => self.unfinished(Limit::Time, report),
            (Ending::Signal(SIGKILL), _) => self.unfinished(Limit::Memory, None),
            (Ending::Signal(_), _) => Outcome::Accepted(Search {
                crashed: true,
                ..Search::default()
            }),
            (_, Some(report)) if report.out_of_memory => {
                self.unfinished(Limit::Memory, Some(report))
            }
            (_, Some(report)) if report.vector_too_small => {
                self.unfinished(Limit::Vector, Some(report))
            }
            (_, Some(report)) => Outcome::Accepted(Search {
                counts: report.counts,
                errors: report.errors,
                first_error: report.first_error,
                vector: report.vector,
                truncated: report.truncated,
                crashed: false,
                ended: !report.complete,
                bad_index: report.bad_index,
            }),
            (ending, None) => return rejected(Stage::Pan, ending, &log, model),
        })
    }

    fn command(&self, dir: &TempDir, program: &str) -> Command {
        let mut command = process::command(program, self.time.max(PREPARATION));
        command.current_dir(dir.path());
        command
    }

    fn stage(
        &self,
        dir: &TempDir,
        stage: Stage,
        command: &mut Command,
    ) -> io::Result<(Ending, PathBuf)> {
        let log = dir.path().join(match stage {
            Stage::Spin => "spin.log",
            Stage::Gcc => "gcc.log",
            Stage::Pan => "pan.log",
        });
        let limit = match stage {
            Stage::Spin | Stage::Gcc => self.time.max(PREPARATION),
            Stage::Pan => self.time,
        };
        process::log_to(command, &log)?;
        Ok((process::run(command, limit)?, log))
    }

    fn unfinished(&self, limit: Limit, report: Option<Report>) -> Outcome {
        Outcome::Unfinished(Unfinished {
            limit,
            seconds: self.time.as_secs(),
            megabytes: self.megabytes,
            errors: report.as_ref().map(|report| report.errors),
            reached: report.map(|report| report.counts),
        })
    }
}

/// The command that a reader can repeat to get the numbers of a model with such a state vector.
pub fn command_line(model: &str, vector: u64, question: &Question) -> String {
    let mut compile = question.compile().join(" ");
    if vector > DEFAULT_VECTOR {
        compile.push_str(&format!(" -DVECTORSZ={VECTOR}"));
    }
    format!(
        "spin {} {model} && gcc {compile} -o pan pan.c && ./pan {}",
        TRANSLATE.join(" "),
        question.search().join(" ")
    )
}

/// The text that Spin will parse; `None` if the preprocessor fails, as it then will for Spin.
fn preprocess(model: &Path) -> io::Result<Option<String>> {
    let (dir, name) = (model.parent(), model.file_name());
    let (Some(dir), Some(name)) = (dir, name) else {
        return Ok(None);
    };
    let output = Command::new("gcc")
        .args(PREPROCESS)
        .arg(name)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(output.status.success().then_some(text))
}

/// Whether a keyword of embedded C occurs outside of strings and line markers.
fn embeds_c(text: &str) -> bool {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split('"').step_by(2))
        .flat_map(|code| code.split(|c: char| !(c.is_alphanumeric() || c == '_')))
        .any(|word| EMBEDDED.contains(&word))
}

/// The lines of a log, read as they are asked for because a log may be huge.
fn lines(log: &Path) -> io::Result<impl Iterator<Item = String>> {
    let lines = BufReader::new(File::open(log)?).split(b'\n');
    Ok(lines
        .map_while(Result::ok)
        .map(|line| String::from_utf8_lossy(&line).into_owned()))
}

/// A rejection with the line that tells most.
fn rejected(stage: Stage, ending: Ending, log: &Path, model: &Path) -> io::Result<Outcome> {
    let mut message = complaint(lines(log)?).unwrap_or_else(|| format!("{ending:?}"));
    if let Some(dir) = model.parent() {
        message = message.replace(&format!("{}/", dir.display()), "");
    }
    Ok(Outcome::Rejected { stage, message })
}

/// The first line with an error, else the first complaint of Spin, else the first line.
///
/// Spin prints every formula before it complains about one, so lines that echo are passed over.
fn complaint(lines: impl Iterator<Item = String>) -> Option<String> {
    let rank = |line: &str| {
        if line.to_ascii_lowercase().contains("error") {
            0
        } else if line.starts_with("spin:") || line.starts_with("tl_spin:") {
            1
        } else {
            2
        }
    };
    lines
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty() && !line.starts_with("ltl "))
        .min_by_key(|line| rank(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_c_is_found_only_in_code() {
        assert!(embeds_c("init { c_code { x = 1; } }"));
        assert!(embeds_c("active proctype P() {\n\tc_expr{ now.x }\n}"));
        assert!(!embeds_c("# 1 \"c_code.pml\"\ninit { printf(\"c_code\") }"));
        assert!(!embeds_c("byte c_code_count;"));
    }

    #[test]
    fn the_complaint_is_found_behind_what_spin_echoes() {
        let complaint = |text: &str| complaint(text.lines().map(str::to_owned));
        let formula = "ltl errors: [] (p)\ntl_spin: expected predicate, saw 'X'\n---^\n";
        let expected = "tl_spin: expected predicate, saw 'X'";
        assert_eq!(complaint(formula).as_deref(), Some(expected));
        let syntax = "spin: warning, x\nspin: a.pml:3, Error: syntax error\tsaw 'x'\n";
        let expected = "spin: a.pml:3, Error: syntax error\tsaw 'x'";
        assert_eq!(complaint(syntax).as_deref(), Some(expected));
        assert_eq!(complaint("\n"), None);
    }

    #[test]
    fn the_command_says_what_a_reader_needs() {
        assert_eq!(
            command_line("a.pml", 28, &Question::Safety),
            "spin -o1 -o2 -o3 -a a.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c \
             && ./pan -m1000000 -c0"
        );
        assert!(command_line("a.pml", 1025, &Question::Safety).contains(" -DVECTORSZ=4096 -o pan"));
    }
}
