//! Which features of the language a model uses, judged by its text.
//!
//! A random test is worth what its models contain; the histogram shows what they never do.

use crate::tokens::tokens;

/// How a feature shows in the tokens of a model.
enum Sign {
    /// One of these tokens.
    Any(&'static [&'static str]),
    /// These tokens in a row.
    Row(&'static [&'static str]),
    /// Whatever the function finds.
    Test(fn(&[&str]) -> bool),
}

use Sign::{Any, Row, Test};

/// Every feature with its sign, in the order of the histogram.
const FEATURES: &[(&str, Sign)] = &[
    ("rendezvous channel", Row(&["[", "0", "]", "of"])),
    ("buffered channel", Test(buffered)),
    ("sorted send !!", Any(&["!!"])),
    ("random receive ??", Any(&["??"])),
    ("copying receive ?<", Test(|t| receive(t, "<"))),
    ("poll ?[", Test(|t| receive(t, "["))),
    ("eval", Any(&["eval"])),
    ("len", Any(&["len"])),
    (
        "full empty nfull nempty",
        Any(&["full", "empty", "nfull", "nempty"]),
    ),
    ("channel passing", Test(channel_passing)),
    ("xr xs", Any(&["xr", "xs"])),
    ("atomic", Any(&["atomic"])),
    ("d_step", Any(&["d_step"])),
    ("unless", Any(&["unless"])),
    ("timeout", Any(&["timeout"])),
    ("else", Any(&["else"])),
    ("if", Any(&["if"])),
    ("do", Any(&["do"])),
    ("break", Any(&["break"])),
    ("goto", Any(&["goto"])),
    ("label", Test(|t| labels(t).next().is_some())),
    (
        "end label",
        Test(|t| labels(t).any(|l| l.starts_with("end"))),
    ),
    (
        "accept label",
        Test(|t| labels(t).any(|l| l.starts_with("accept"))),
    ),
    (
        "progress label",
        Test(|t| labels(t).any(|l| l.starts_with("progress"))),
    ),
    ("for", Any(&["for"])),
    ("select", Any(&["select"])),
    ("inline", Any(&["inline"])),
    ("macro", Row(&["#", "define"])),
    ("run", Any(&["run"])),
    ("init", Any(&["init"])),
    ("active", Any(&["active"])),
    ("several instances", Row(&["active", "["])),
    ("D_proctype", Any(&["D_proctype"])),
    ("provided", Any(&["provided"])),
    ("priority", Any(&["priority"])),
    (
        "get_priority set_priority",
        Any(&["get_priority", "set_priority", "_priority"]),
    ),
    ("_pid", Any(&["_pid"])),
    ("_nr_pr", Any(&["_nr_pr"])),
    ("_last", Any(&["_last"])),
    ("_ (write-only)", Any(&["_"])),
    ("enabled", Any(&["enabled"])),
    ("pc_value", Any(&["pc_value"])),
    ("remote reference", Test(remote_reference)),
    ("assert", Any(&["assert"])),
    ("printf", Any(&["printf", "printm"])),
    ("typedef", Any(&["typedef"])),
    ("array", Test(array)),
    ("mtype", Any(&["mtype"])),
    ("named mtype", Row(&["mtype", ":"])),
    ("unsigned", Any(&["unsigned"])),
    ("bit bool", Any(&["bit", "bool"])),
    ("short int", Any(&["short", "int"])),
    ("pid", Any(&["pid"])),
    ("hidden", Any(&["hidden"])),
    ("local", Any(&["local"])),
    ("declaration in a block", Test(block_declaration)),
    ("conditional expression", Test(conditional)),
    ("division", Any(&["/", "%"])),
    ("bit operators", Any(&["&", "|", "^", "~", "<<", ">>"])),
    ("ltl", Any(&["ltl"])),
    ("never", Any(&["never"])),
    ("trace notrace", Any(&["trace", "notrace"])),
];

/// The types that can begin a declaration.
const TYPES: [&str; 9] = [
    "bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan",
];

/// How many models used each feature.
pub struct Histogram {
    models: usize,
    counts: Vec<usize>,
}

impl Histogram {
    /// No models yet.
    pub fn new() -> Histogram {
        Histogram {
            models: 0,
            counts: vec![0; FEATURES.len()],
        }
    }

    /// Counts the features of one model.
    pub fn add(&mut self, text: &str) {
        let tokens = tokens(text);
        self.models += 1;
        for ((_, sign), count) in FEATURES.iter().zip(&mut self.counts) {
            *count += usize::from(sign.is_in(&tokens));
        }
    }

    /// Prints one line per feature; what is missing is as interesting as what is there.
    pub fn print(&self) {
        for ((name, _), count) in FEATURES.iter().zip(&self.counts) {
            let percent = 100 * count / self.models.max(1);
            println!("{name:<28} {count:>7} {percent:>3} %");
        }
    }
}

impl Sign {
    fn is_in(&self, tokens: &[&str]) -> bool {
        match self {
            Any(words) => tokens.iter().any(|token| words.contains(token)),
            Row(row) => tokens.windows(row.len()).any(|window| window == *row),
            Test(test) => test(tokens),
        }
    }
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// `[N] of` with anything but 0.
fn buffered(tokens: &[&str]) -> bool {
    let mut windows = tokens.windows(3);
    windows.any(|window| window[1..] == ["]", "of"] && window[0] != "0")
}

fn receive(tokens: &[&str], bracket: &str) -> bool {
    let mut windows = tokens.windows(2);
    windows.any(|window| matches!(window[0], "?" | "??") && window[1] == bracket)
}

/// `chan` among the fields of a message.
fn channel_passing(tokens: &[&str]) -> bool {
    let mut parts = tokens.split(|token| *token == "of").skip(1);
    parts.any(|part| {
        part.iter()
            .take_while(|token| **token != "}")
            .any(|token| *token == "chan")
    })
}

/// A name before a single colon, outside of parentheses.
fn labels<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let mut depth = 0;
    tokens.windows(2).filter_map(move |window| {
        match window[0] {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        let is_label = depth == 0 && window[1] == ":" && is_name(window[0]);
        (is_label && window[0] != "mtype").then_some(window[0])
    })
}

/// `P@label` or `P:variable`, the latter only where a process number shows it: `P[0]:x`.
fn remote_reference(tokens: &[&str]) -> bool {
    let mut windows = tokens.windows(2);
    tokens.contains(&"@") || windows.any(|window| window == ["]", ":"])
}

/// A declared name followed by its size.
fn array(tokens: &[&str]) -> bool {
    let sized = |window: &[&str]| {
        let declared = TYPES.contains(&window[0]) || window[0] == ",";
        let size = window[2] == "[" && (is_number(window[3]) || is_name(window[3]));
        declared && is_name(window[1]) && size && window[4] == "]" && window[5] != "of"
    };
    tokens.windows(6).any(sized)
}

/// A type name below the outermost level of a body.
fn block_declaration(tokens: &[&str]) -> bool {
    let mut depth = 0;
    tokens.windows(2).any(|window| {
        match window[0] {
            "{" | "do" | "if" => depth += 1,
            "}" | "od" | "fi" => depth -= 1,
            _ => {}
        }
        depth >= 2 && TYPES.contains(&window[0]) && is_name(window[1])
    })
}

/// An arrow and then a colon inside the same parentheses.
fn conditional(tokens: &[&str]) -> bool {
    let mut arrows = Vec::new();
    for token in tokens {
        match (*token, arrows.last_mut()) {
            ("(", _) => arrows.push(false),
            (")", _) => drop(arrows.pop()),
            ("->", Some(arrow)) => *arrow = true,
            (":", Some(true)) => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = tokens(text);
        let found = FEATURES.iter().filter(|(_, sign)| sign.is_in(&tokens));
        let names: Vec<_> = found.map(|(name, _)| *name).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn channels() {
        check("chan c = [0] of { byte };", &["rendezvous channel"]);
        check(
            "chan c = [2] of { mtype, chan };",
            &["buffered channel", "channel passing", "mtype"],
        );
        check("c??<x>", &["random receive ??", "copying receive ?<"]);
        check("c?[x]", &["poll ?["]);
        check("c!!x", &["sorted send !!"]);
    }

    #[test]
    fn labels_are_no_conditions() {
        check("end1: x = 1; L: y", &["label", "end label"]);
        check("x = (a -> b : c)", &["conditional expression"]);
        check("do :: (a) -> b :: c od", &["do"]);
        check("for (i : 1 .. 2)", &["for"]);
        check("mtype : fruit = { apple }", &["mtype", "named mtype"]);
    }

    #[test]
    fn declarations() {
        check("byte a[3];", &["array"]);
        check("init { byte x; }", &["init"]);
        check(
            "init { do :: byte x; od }",
            &["do", "init", "declaration in a block"],
        );
        check("P[0]@l && P[1]:x", &["remote reference"]);
    }

    #[test]
    fn the_histogram_counts_models() {
        let mut histogram = Histogram::new();
        histogram.add("atomic { atomic { skip } }");
        histogram.add("atomic { skip }");
        let index = FEATURES.iter().position(|(name, _)| *name == "atomic");
        assert_eq!(index.map(|index| histogram.counts[index]), Some(2));
    }
}
