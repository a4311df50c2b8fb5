//! Every example of the documentation is run.
//!
//! In `README.md` and `docs/*.md`,
//!
//! - a block marked `promela VERDICT` is checked and must have that verdict: `holds`,
//!   `violated`, `inconclusive` or `rejected`. `stored=N` and `errors=N` behind it must be the
//!   figures of a search for all errors without reduction; `file=NAME` keeps the model for the
//!   blocks below.
//! - a block marked `console` holds `$ spinor ...` commands and what they print; `$ echo $?`
//!   prints the last exit status. A line `...` stands for any lines. Times and memory are not
//!   compared.
//!
//! All other blocks are left alone. A document is run in a directory of its own, which has a
//! copy of `models`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A fenced block.
struct Block {
    /// The line of its fence, from 1.
    line: usize,
    info: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents, in order.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("docs")).expect("a directory");
    let mut found: Vec<PathBuf> = pages
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    found.extend([root().join("README.md"), root().join("ARCHITECTURE.md")]);
    found.sort();
    found
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (row, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, Some(info)) => {
                open = Some(Block {
                    line: row + 1,
                    info: info.trim().to_owned(),
                    text: String::new(),
                });
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

/// A directory with a copy of the models.
struct Place {
    dir: TempDir,
    status: i32,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        copy(&root().join("models"), &dir.path().join("models"));
        Place { dir, status: 0 }
    }

    /// What spinor prints, errors first.
    fn spinor(&mut self, args: &[String]) -> (String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_spinor"))
            .args(args)
            .current_dir(self.dir.path())
            .output()
            .expect("spinor runs");
        self.status = output.status.code().unwrap_or(-1);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stderr), text(&output.stdout))
    }

    /// Check a model block; says what is wrong.
    fn promela(&mut self, block: &Block) -> Result<(), String> {
        let mut words = block.info.split_whitespace().skip(1);
        let expected = words.next().ok_or("a verdict is missing")?;
        let mut name = "example.pml";
        let mut figures = Vec::new();
        for word in words {
            match word.split_once('=') {
                Some(("file", value)) => name = value,
                Some((key @ ("stored" | "errors"), value)) => figures.push((key, value)),
                _ => return Err(format!("unknown attribute {word}")),
            }
        }
        fs::write(self.dir.path().join(name), &block.text).map_err(|e| e.to_string())?;
        self.verdict(name, expected, &[])?;
        if figures.is_empty() {
            return Ok(());
        }
        // Figures are those that Spin would have too.
        let report = self.verdict(name, expected, &["--no-reduction"])?;
        for (key, value) in figures {
            let found = match key {
                "stored" => report["states"]["stored"].to_string(),
                _ => report["error_count"].to_string(),
            };
            if found != value {
                return Err(format!("{key}: {value} expected, {found} found"));
            }
        }
        Ok(())
    }

    /// Check a model with more arguments and compare its verdict.
    fn verdict(&mut self, name: &str, expected: &str, more: &[&str]) -> Result<Value, String> {
        let args = ["check", name, "--all-errors", "--format", "json"];
        let args: Vec<String> = args.iter().chain(more).map(|a| (*a).to_owned()).collect();
        let (_, json) = self.spinor(&args);
        let report: Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
        let found = match report["verdict"].as_str() {
            Some("error") => "rejected",
            Some(verdict) => verdict,
            None => return Err("no verdict".to_owned()),
        };
        if found != expected {
            let why = &report["reason"];
            return Err(format!(
                "{expected} expected, {found} found ({why})\n{json}"
            ));
        }
        Ok(report)
    }

    /// Run the commands of a block; says what differs.
    fn console(&mut self, block: &Block) -> Result<(), String> {
        let mut lines = block.text.lines().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").ok_or("a command is missing")?;
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(normal(line));
            }
            let printed = if command == "echo $?" {
                format!("{}\n", self.status)
            } else {
                let args = command
                    .strip_prefix("spinor ")
                    .ok_or("an unknown command")?;
                let (errors, text) = self.spinor(&words(args));
                errors + &text
            };
            let mut found: Vec<String> = printed.lines().map(normal).collect();
            for list in [&mut expected, &mut found] {
                while list.last().is_some_and(String::is_empty) {
                    list.pop();
                }
            }
            if !matches(&expected, &found) {
                let expected = expected.join("\n");
                let found = found.join("\n");
                return Err(format!(
                    "{command}\n--- expected\n{expected}\n--- found\n{found}"
                ));
            }
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// The words of a command; quotes keep blanks.
fn words(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut started = false;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => word.push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                started = true;
            }
            None if c.is_whitespace() => {
                if started || !word.is_empty() {
                    found.push(std::mem::take(&mut word));
                }
                started = false;
            }
            None => word.push(c),
        }
    }
    if started || !word.is_empty() {
        found.push(word);
    }
    found
}

/// A line without what differs from run to run.
fn normal(line: &str) -> String {
    const FIGURES: [&str; 8] = [
        "parse", "compile", "search", "total", "states", "stack", "peak_rss", "hash",
    ];
    let line = line.trim_end();
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    if text.contains(" to search") {
        return format!("{indent}TIME");
    }
    if text.starts_with("memory: ") {
        return format!("{indent}MEMORY");
    }
    if text.starts_with("spinor 0.") || text.starts_with("\"version\"") {
        return format!("{indent}VERSION");
    }
    for key in FIGURES {
        let value = text.strip_prefix(&format!("\"{key}\": "));
        let value = value.map(|value| value.trim_start_matches('"'));
        if value.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_hexdigit())) {
            let comma = if text.ends_with(',') { "," } else { "" };
            return format!("{indent}\"{key}\": FIGURE{comma}");
        }
    }
    line.to_owned()
}

/// Whether the lines are those expected, where `...` stands for any.
fn matches(expected: &[String], found: &[String]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return found.is_empty();
    };
    if first.trim() == "..." {
        return (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]));
    }
    found
        .split_first()
        .is_some_and(|(line, more)| line == first && matches(rest, more))
}

#[test]
fn every_example_is_true() {
    let mut wrong = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a text");
        let mut place = Place::new();
        for block in blocks(&text) {
            let result = match block.info.split_whitespace().next() {
                Some("promela") => place.promela(&block),
                Some("console") => place.console(&block),
                _ => Ok(()),
            };
            if let Err(what) = result {
                let name = document.file_name().expect("a name").display();
                wrong.push(format!("{name}:{}: {what}", block.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a text");
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            if target.contains("://") || file.is_empty() {
                continue;
            }
            let path = document.parent().expect("a directory").join(file);
            if !path.exists() {
                wrong.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dots_stand_for_lines() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (expected, found, same) in [
        ("a\nb", "a\nb", true),
        ("a\n...\nb", "a\nb", true),
        ("a\n...\nb", "a\nx\nb\ny\nb", true),
        ("a\n...\nb", "a\nb\nc", false),
        ("...\nb", "a", false),
        ("", "a", false),
    ] {
        assert_eq!(
            matches(&lines(expected), &lines(found)),
            same,
            "{expected:?}"
        );
    }
}
