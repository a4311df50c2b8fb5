//! The shape of the workspace: which crate may use which, and how large a file may grow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Every crate with the crates of the workspace that it may use.
const EDGES: &[(&str, &[&str])] = &[
    (
        "checker",
        &[
            "jit", "ltl", "model", "product", "promela", "reduce", "relation", "search", "space",
            "store",
        ],
    ),
    ("cli", &["checker", "ltl", "model", "promela", "space"]),
    ("generate", &[]),
    ("jit", &["model", "space"]),
    ("ltl", &["space"]),
    ("model", &["space"]),
    ("product", &["ltl", "model", "relation", "space"]),
    ("promela", &["model", "space"]),
    ("reduce", &["model", "space"]),
    ("relation", &["model", "space", "store"]),
    ("search", &["relation", "space", "store"]),
    ("space", &[]),
    ("store", &[]),
    (
        "xtask",
        &["generate", "ltl", "model", "promela", "relation"],
    ),
];

/// What the tests of every crate may use besides.
const TEST_EDGES: &[&str] = &["generate", "model", "product", "promela", "reduce"];

/// The files that need what the compiler cannot check, one by one.
const TRUSTED: &[&str] = &[
    "crates/jit/src/compile.rs",
    "crates/jit/src/context.rs",
    "crates/jit/src/driver.rs",
    "crates/jit/src/runtime.rs",
    "crates/store/src/machine.rs",
];

/// More lines than this are more than one thing.
const LONGEST: usize = 700;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust files below a directory, in order.
fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The files in the `src` directories of all crates, with their texts.
fn sources() -> Vec<(String, String)> {
    let crates = fs::read_dir(root().join("crates")).expect("a directory");
    let mut dirs: Vec<PathBuf> = crates
        .map(|entry| entry.expect("an entry").path().join("src"))
        .filter(|dir| dir.is_dir())
        .collect();
    dirs.push(root().join("xtask/src"));
    let files = dirs.iter().flat_map(|dir| rust_files(dir));
    let mut sources: Vec<(String, String)> = files
        .map(|path| {
            let name = path.strip_prefix(root()).expect("a path below");
            let text = fs::read_to_string(&path).expect("a text");
            (name.display().to_string(), text)
        })
        .collect();
    sources.sort();
    sources
}

#[test]
fn crates_use_what_the_table_allows() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline"])
        .args(["--format-version", "1", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let members: BTreeSet<String> = packages.iter().map(name).collect();
    let found: BTreeMap<String, BTreeSet<String>> = packages
        .iter()
        .map(|package| {
            let used = package["dependencies"].as_array().expect("a list");
            let is_test =
                |used: &Value| used["kind"] == "dev" && TEST_EDGES.contains(&&*name(used));
            let used = used.iter().filter(|used| !is_test(used)).map(name);
            let used = used.filter(|used| members.contains(used));
            (name(package), used.collect())
        })
        .collect();
    let allowed: BTreeMap<String, BTreeSet<String>> = EDGES
        .iter()
        .map(|(user, used)| {
            let used = used.iter().map(|used| (*used).to_owned());
            ((*user).to_owned(), used.collect())
        })
        .collect();
    assert_eq!(members, allowed.keys().cloned().collect(), "the crates");
    for (user, used) in &found {
        let more: Vec<&String> = used.difference(&allowed[user]).collect();
        assert!(more.is_empty(), "{user} must not use {more:?}");
    }
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = sources()
        .iter()
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "more than {LONGEST} lines: {long:#?}");
}

#[test]
fn only_trusted_files_are_unsafe() {
    // In two parts, so that this file could be checked too.
    let word = concat!("un", "safe");
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    for (name, text) in sources() {
        let code = text.lines().map(|line| {
            let end = line.find("//").unwrap_or(line.len());
            line[..end].trim()
        });
        let code: Vec<&str> = code.collect();
        let uses = |line: &&&str| line.split(|c| !is_name(c)).any(|token| token == word);
        if code.iter().any(|line| uses(&line)) {
            let opens = |line: &&&str| line.contains(&format!("{word} {{"));
            let blocks = code.iter().filter(opens).count();
            let reasons = text.matches("// SAFETY:").count();
            assert!(
                reasons >= blocks,
                "{name}: {blocks} blocks, {reasons} reasons"
            );
            found.insert(name);
        }
    }
    let trusted: BTreeSet<String> = TRUSTED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found, trusted);
}

/// The rows of the table of crates in the document: name and what it may use.
#[test]
fn the_document_has_the_same_table() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a text");
    let mut rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"));
    let (head, line) = (rows.next(), rows.next());
    assert!(head.is_some() && line.is_some(), "a table of crates");
    let names = |cell: &str| -> BTreeSet<String> {
        let parts = cell.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    let mut found = BTreeMap::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let user = names(cells[1]).pop_first().expect("a name");
        found.insert(user, names(cells[2]));
    }
    let expected: BTreeMap<String, BTreeSet<String>> = EDGES
        .iter()
        .map(|(user, used)| {
            let used = used.iter().map(|used| (*used).to_owned());
            ((*user).to_owned(), used.collect())
        })
        .collect();
    assert_eq!(found, expected);
}

/// What only the command line may do, as it is written in code.
const FOR_THE_COMMAND_LINE: &[&str] = &[
    concat!("print", "ln!("),
    concat!("print", "!("),
    concat!("db", "g!("),
    concat!("std", "out()"),
    concat!("std", "err()"),
    concat!("process::", "exit"),
    concat!("process::", "abort"),
    concat!("set_", "hook"),
    concat!("set_", "handler"),
    concat!("cl", "ap::"),
    concat!("ctrl", "c::"),
    concat!("signal_", "hook"),
    concat!("sig", "action"),
];

/// The packages for options, signals and the terminal.
const PACKAGES_FOR_THE_COMMAND_LINE: &[&str] =
    &["clap", "ctrlc", "indicatif", "libc", "nix", "signal-hook"];

/// The code of a file up to the module of its tests. Declarations of test modules in other files
/// come before code that is not for tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
}

#[test]
fn only_the_command_line_prints_exits_and_handles_signals() {
    let may = |name: &str| {
        let is_test = name.contains("/tests.rs") || name.contains("/tests/");
        name.starts_with("crates/cli/") || name.starts_with("xtask/") || is_test
    };
    let mut wrong = Vec::new();
    for (name, text) in sources().iter().filter(|(name, _)| !may(name)) {
        if is_test_module(name) {
            continue;
        }
        for (number, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let found = FOR_THE_COMMAND_LINE
                .iter()
                .find(|word| code.contains(*word));
            wrong.extend(found.map(|word| format!("{name}:{}: {word}", number + 1)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let crates = fs::read_dir(root().join("crates")).expect("a directory");
    for dir in crates.map(|entry| entry.expect("an entry").path()) {
        let manifest = fs::read_to_string(dir.join("Cargo.toml")).expect("a manifest");
        let is_name = |c: char| c.is_alphanumeric() || "-_".contains(c);
        let named = manifest
            .split(|c| !is_name(c))
            .find(|word| PACKAGES_FOR_THE_COMMAND_LINE.contains(word));
        let is_cli = dir.ends_with("cli");
        assert!(is_cli || named.is_none(), "{}: {named:?}", dir.display());
    }
}

/// Whether a file is compiled for tests only: its parent declares it so.
fn is_test_module(name: &str) -> bool {
    let path = root().join(name);
    let (Some(stem), Some(dir)) = (path.file_stem(), path.parent()) else {
        return false;
    };
    let declared = format!("#[cfg(test)]\nmod {};", stem.to_string_lossy());
    let parents = [
        dir.join("lib.rs"),
        dir.join("mod.rs"),
        dir.with_extension("rs"),
    ];
    let texts = parents
        .iter()
        .filter_map(|parent| fs::read_to_string(parent).ok());
    texts.into_iter().any(|text| text.contains(&declared))
}

/// The words with which somebody asks whether two things go together.
const DECIDING: &[&str] = &["conflict(", "conflict_with(", "Conflict {"];

#[test]
fn only_the_plan_decides_what_may_be_combined() {
    let mut wrong = Vec::new();
    for (name, text) in &sources() {
        if name.starts_with("crates/checker/src/plan/") {
            continue;
        }
        let code = without_tests(text).lines();
        let code = code.map(|line| line.split("//").next().unwrap_or_default());
        let asks = |line: &&str| DECIDING.iter().any(|word| line.contains(word));
        wrong.extend(code.filter(asks).map(|line| format!("{name}: {line}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The engine runs jobs: the options that were asked for are not its business.
    for (name, text) in &sources() {
        if name.starts_with("crates/checker/src/engine/") {
            assert!(!text.contains("SearchOptions"), "{name} reads options");
        }
    }
}
