//! The formatter: what it makes of a text, and that it is the same text.

mod layout;
mod text;

use std::path::{Path, PathBuf};

use promela::diagnostic::Diagnostic;
use promela::fmt::{Refusal, dump, format};
use promela::parser::parse;
use promela::preprocess::{DiskLoader, Options};
use promela::source::SourceMap;

fn run(text: &str) -> Result<String, Refusal> {
    run_at(Path::new("m.pml"), text)
}

fn run_at(path: &Path, text: &str) -> Result<String, Refusal> {
    let mut sources = SourceMap::default();
    format(path, text, &DiskLoader, &Options::default(), &mut sources)
}

/// The text in its layout, which must be final.
#[track_caller]
fn formatted(text: &str) -> String {
    let once = run(text).expect("a model");
    let twice = run(&once).expect("still a model");
    assert_eq!(once, twice, "formatting again changes the text");
    once
}

/// The tree of a text without its places, and the messages about it.
fn meaning(path: &Path, text: &str) -> (String, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let (program, diagnostics) = parse(path, text, &DiskLoader, &Options::default(), &mut sources);
    (dump(&program), diagnostics)
}

/// Format a text and compare everything that must not change. Whether it is a model.
#[track_caller]
fn check(path: &Path, text: &str) -> bool {
    let (tree, diagnostics) = meaning(path, text);
    let result = run_at(path, text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        let refused = matches!(result, Err(Refusal::Diagnostics(_)));
        assert!(refused, "{}: formatted in spite of errors", path.display());
        return false;
    }
    let once = result.unwrap_or_else(|_| panic!("{}: refused:\n{text}", path.display()));
    let twice = run_at(path, &once);
    assert_eq!(twice.ok().as_ref(), Some(&once), "{}", path.display());
    let (tree_after, diagnostics_after) = meaning(path, &once);
    assert_eq!(tree, tree_after, "{}:\n{text}", path.display());
    let messages = |found: Vec<Diagnostic>| found.into_iter().map(|d| d.message);
    assert!(messages(diagnostics).eq(messages(diagnostics_after)));
    // A backslash that joins two lines is a kind of blank.
    let is_mark = |c: &char| !c.is_ascii_whitespace() && *c != '\\';
    let marks = |text: &str| text.chars().filter(is_mark).collect::<String>();
    assert_eq!(marks(text), marks(&once), "{}", path.display());
    true
}

/// The models of the corpus.
fn corpus() -> Vec<(PathBuf, String)> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut paths: Vec<PathBuf> = [models.clone(), models.join("features")]
        .iter()
        .flat_map(|directory| std::fs::read_dir(directory).expect("a directory"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn models_of_the_corpus() {
    let mut models = 0;
    for (path, text) in corpus() {
        models += usize::from(check(&path, &text));
    }
    assert!(models > 200, "{models}");
}

#[test]
fn generated_models() {
    for seed in 0..300 {
        let path = PathBuf::from(format!("seed_{seed}.pml"));
        assert!(check(&path, &generate::model(seed)), "seed {seed}");
    }
}

/// A small generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn new(name: &str, default: u64) -> Random {
        let seed = std::env::var(name).ok().and_then(|s| s.parse().ok());
        let seed = seed.unwrap_or(default);
        println!("{name}={seed}");
        Random(seed | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

/// The words, marks and blanks of a text.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        ' ' | '\t' => 0,
        '_' => 1,
        c if c.is_alphanumeric() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let end = rest.find(|c| class(c) != kind).unwrap_or(rest.len());
        let end = if kind == 2 { first.len_utf8() } else { end };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// The same models with other line breaks, comments and names. Most are still models.
#[test]
fn other_layouts() {
    let mut random = Random::new("LAYOUT_SEED", 0x51ed_270b_a4d2_1c63);
    let corpus = corpus();
    let blanks = [
        "  ",
        "\t",
        " /* c */ ",
        "/**/",
        "\n",
        " // c\n",
        "/*\n * c\n */",
    ];
    let breaks = [
        "\n",
        "\r\n",
        "\n\n\n",
        " // c\n",
        "\n    // c\n",
        "\n#ifdef X\n#endif\n",
    ];
    let mut models = 0;
    for _ in 0..300 {
        let (path, text) = &corpus[random.below(corpus.len())];
        let mut pieces: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
        let long = pieces[random.below(pieces.len())].clone();
        let lengthen = long.chars().all(|c| c.is_ascii_lowercase());
        for piece in &mut pieces {
            if piece.starts_with([' ', '\t']) && random.below(60) == 0 {
                *piece = random.pick(&blanks).to_owned();
            } else if *piece == "\n" && random.below(4) == 0 {
                *piece = random.pick(&breaks).to_owned();
            } else if lengthen && *piece == long {
                *piece = long.repeat(9);
            }
        }
        models += usize::from(check(path, &pieces.concat()));
    }
    assert!(models > 100, "{models}");
}

/// Texts that nobody would write: no panic, and no model is changed.
#[test]
fn garbage() {
    let mut random = Random::new("GARBAGE_SEED", 0x2c1b_3c6d_9f3a_77e1);
    let corpus = corpus();
    let extra = [
        "\n#if 0\n",
        "\n#endif\n",
        "\n#else\n",
        "\n#define x y\\\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "\\\n",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "::",
        ";",
        "->",
        "if",
        "fi",
        "do",
        "od",
        "c_code {",
        "L:",
        "ltl {",
        "<",
        ">",
        "#",
        "\0",
        "é",
        "\u{feff}",
        "\r",
        "unless",
        "for (",
        "?<",
    ];
    for _ in 0..500 {
        let (path, text) = &corpus[random.below(corpus.len())];
        let mut pieces = pieces(text);
        for _ in 0..=random.below(8) {
            let at = random.below(pieces.len().max(1));
            match random.below(5) {
                0 if at < pieces.len() => drop(pieces.remove(at)),
                1 if at < pieces.len() => pieces.insert(at, pieces[at / 2]),
                2 => pieces.truncate(at.max(1)),
                _ => pieces.insert(at, random.pick(&extra)),
            }
        }
        let text = pieces.concat();
        promela::fmt::layout(&text);
        check(path, &text);
    }
    for unit in extra {
        promela::fmt::layout(&unit.repeat(20_000 / unit.len()));
    }
}
