//! Makes a failing model smaller.
//!
//! Follows: A. Zeller, R. Hildebrandt, *Simplifying and isolating failure-inducing input*, IEEE TSE
//! 2002. Departs: what is removed are lines, and first of all whole blocks, options and processes;
//! results that cannot be Promela are not tried, since a trial runs Spin and costs a second.

use std::collections::HashSet;

/// Removes what it can from a model, as long as `still_fails` says that the rest fails. It works
/// best on text that is printed one statement a line, as [`model`](crate::model) prints it.
///
/// The result cannot be made smaller by any single removal this function knows of.
pub fn shrink(text: &str, still_fails: &mut dyn FnMut(&str) -> bool) -> String {
    let mut search = Search {
        lines: text.lines().map(str::to_owned).collect(),
        tried: HashSet::new(),
        still_fails,
    };
    loop {
        let before = search.lines.clone();
        for pass in [blocks, options, chunks, unwrapped, chosen, simpler] {
            search.run(pass);
        }
        if search.lines == before {
            return reindented(&before);
        }
    }
}

type Lines = Vec<String>;

struct Search<'a> {
    /// The smallest model known to fail.
    lines: Lines,
    /// What was tried before.
    tried: HashSet<String>,
    still_fails: &'a mut dyn FnMut(&str) -> bool,
}

impl Search<'_> {
    /// Tries the candidates of a pass. After a success it goes on at the same place of the smaller
    /// model: candidates before it failed already.
    fn run(&mut self, pass: fn(&[String]) -> Vec<Lines>) {
        let mut at = 0;
        loop {
            let candidates = pass(&self.lines);
            let Some(candidate) = candidates.into_iter().nth(at) else {
                return;
            };
            if self.fails(&candidate) {
                self.lines = candidate;
            } else {
                at += 1;
            }
        }
    }

    fn fails(&mut self, candidate: &[String]) -> bool {
        let text = join(candidate);
        is_balanced(candidate) && self.tried.insert(text.clone()) && (self.still_fails)(&text)
    }
}

fn join(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The text with every line indented as deep as it is.
fn reindented(lines: &[String]) -> String {
    let mut text = String::new();
    let mut depth: isize = 0;
    for line in lines {
        let code = line.trim_start();
        if code.starts_with('#') {
            text.push_str(&format!("{code}\n"));
            continue;
        }
        let change = depth_change(code);
        let outside = change < 0 || code.starts_with(['}', ':']);
        let indent = usize::try_from(depth - isize::from(outside)).unwrap_or(0);
        depth += change;
        text.push_str(&format!("{}{code}\n", "    ".repeat(indent)));
    }
    text
}

/// What a line opens or closes: blocks, `if`, `do` and their ends.
fn depth_change(line: &str) -> isize {
    let code = line.split('"').step_by(2).collect::<String>();
    let mut change = 0;
    for word in code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '#') {
        match word {
            "if" | "do" | "#if" | "#ifdef" | "#ifndef" => change += 1,
            "fi" | "od" | "#endif" => change -= 1,
            _ => {}
        }
    }
    for c in code.chars() {
        match c {
            '{' => change += 1,
            '}' => change -= 1,
            _ => {}
        }
    }
    change
}

/// Could it be Promela? All blocks are closed in order, none of them is empty, and choices consist
/// of options.
fn is_balanced(lines: &[String]) -> bool {
    let mut depth = 0;
    let mut opened = "";
    for line in lines {
        let code = line.trim();
        let change = depth_change(code);
        let choice = opened.ends_with("if") || opened.ends_with("do");
        if choice && !code.starts_with("::") {
            return false;
        }
        if !opened.is_empty() && code.starts_with('}') {
            return false;
        }
        opened = if change > 0 { code } else { "" };
        depth += change;
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The line at which what `start` opens is closed.
fn closing(lines: &[String], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate().skip(start) {
        depth += depth_change(line);
        if depth <= 0 {
            return (index > start).then_some(index);
        }
    }
    None
}

fn without(lines: &[String], from: usize, to: usize) -> Lines {
    [&lines[..from], &lines[to..]].concat()
}

/// Leaves out a block, choice, process or claim.
fn blocks(lines: &[String]) -> Vec<Lines> {
    let spans = (0..lines.len()).filter_map(|start| Some((start, closing(lines, start)?)));
    spans
        .map(|(start, end)| without(lines, start, end + 1))
        .collect()
}

/// The spans of the options of the choice that `start` opens and `end` closes.
fn options_of(lines: &[String], start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut heads = Vec::new();
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate().take(end).skip(start) {
        if depth == 1 && line.trim_start().starts_with("::") {
            heads.push(index);
        }
        depth += depth_change(line);
    }
    heads.push(end);
    heads.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Leaves out an option.
fn options(lines: &[String]) -> Vec<Lines> {
    let mut candidates = Vec::new();
    for start in 0..lines.len() {
        if let Some(end) = closing(lines, start) {
            for (from, to) in options_of(lines, start, end) {
                candidates.push(without(lines, from, to));
            }
        }
    }
    candidates
}

/// Leaves out runs of lines, long ones first.
fn chunks(lines: &[String]) -> Vec<Lines> {
    let mut candidates = Vec::new();
    let mut size = lines.len() / 2;
    while size > 0 {
        for from in (0..lines.len()).step_by(size) {
            let to = (from + size).min(lines.len());
            candidates.push(without(lines, from, to));
        }
        size /= 2;
    }
    candidates
}

/// Replaces a block by what is in it, and a block with an escape by its main part.
fn unwrapped(lines: &[String]) -> Vec<Lines> {
    let mut candidates = Vec::new();
    for start in 0..lines.len() {
        let Some(end) = closing(lines, start) else {
            continue;
        };
        if !lines[start].ends_with('{') {
            continue;
        }
        if let Some(middle) = (start..end).find(|&line| lines[line].contains("} unless")) {
            let mut candidate = without(lines, middle + 1, end);
            candidate[middle] = "};".to_owned();
            candidate.remove(middle + 1);
            candidates.push(candidate);
        }
        let mut candidate = without(lines, end, end + 1);
        let head = candidate.remove(start);
        if let Some(option) = head.trim_start().strip_prefix("::") {
            let label = option.trim_end_matches(|c: char| c != ':');
            let next = candidate[start].trim_start().to_owned();
            candidate[start] = format!("::{label} {next}");
        }
        candidates.push(candidate);
    }
    candidates
}

/// Replaces a choice by one of its options.
fn chosen(lines: &[String]) -> Vec<Lines> {
    let mut candidates = Vec::new();
    for start in 0..lines.len() {
        let Some(end) = closing(lines, start) else {
            continue;
        };
        for (from, to) in options_of(lines, start, end) {
            let mut body = lines[from..to].to_vec();
            let head = body[0].trim_start().trim_start_matches("::").trim_start();
            let opens = depth_change(head) > 0;
            let ends = head.ends_with("->") || head.ends_with(';');
            let end_of_statement = if opens || ends { "" } else { ";" };
            body[0] = format!("{head}{end_of_statement}");
            let mut candidate = lines[..start].to_vec();
            let lead = lines[start].trim_start();
            if lead.starts_with("::") {
                body[0] = format!(":: {}", body[0]);
            }
            candidate.extend(body);
            candidate.extend_from_slice(&lines[end + 1..]);
            candidates.push(candidate);
        }
    }
    candidates
}

/// Simplifies single lines: fewer processes, no clauses, no labels, constants for expressions.
fn simpler(lines: &[String]) -> Vec<Lines> {
    let mut candidates = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for replacement in simpler_line(line) {
            let mut candidate = lines.to_vec();
            candidate[index] = replacement;
            candidates.push(candidate);
        }
    }
    candidates
}

fn simpler_line(line: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for clause in [" priority ", " provided "] {
        if let Some((head, tail)) = line.split_once(clause) {
            let brace = if tail.ends_with('{') { " {" } else { ";" };
            lines.push(format!("{head}{brace}"));
        }
    }
    if let Some(tail) = line.strip_prefix("active [2] ") {
        lines.push(format!("active {tail}"));
    }
    for word in ["show ", "local ", "hidden "] {
        lines.extend(line.strip_prefix(word).map(str::to_owned));
    }
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let (option, code) = match code.strip_prefix(":: ") {
        Some(code) => (":: ", code),
        None => ("", code),
    };
    if let Some((label, rest)) = code.split_once(": ")
        && label.chars().all(char::is_alphanumeric)
    {
        lines.push(format!("{indent}{option}{rest}"));
    }
    if let Some((target, value)) = code.split_once(" = ") {
        let end = [" ->", ";"].into_iter().find(|end| value.ends_with(end));
        let end = end.unwrap_or("");
        let value = &value[..value.len() - end.len()];
        if value.len() > 1 && !value.contains(['{', '[']) {
            for constant in ["0", "1"] {
                lines.push(format!("{indent}{option}{target} = {constant}{end}"));
            }
            if !target.contains(['=', '<', '>', '(']) && target.contains(' ') {
                lines.push(format!("{indent}{option}{target}{end}"));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model;

    #[track_caller]
    fn check(text: &str, needed: &[&str], expected: &str) {
        let mut fails = |text: &str| needed.iter().all(|part| text.contains(part));
        assert_eq!(shrink(text, &mut fails), expected);
    }

    #[test]
    fn what_is_not_needed_goes() {
        let text = "byte x;\nactive proctype P() {\n    do\n    :: x == 1 ->\n        x = 2;\n    \
                    :: atomic {\n            x = 3;\n            x++;\n        } ->\n        break;\n    \
                    od;\n}\n";
        check(
            text,
            &["active", "x++"],
            "active proctype P() {\n    x++;\n}\n",
        );
        check(text, &["x == 1", "do"], "do\n:: x == 1 ->\nod;\n");
    }

    #[test]
    fn lines_become_simpler() {
        let text = "active [2] proctype P() priority 2 {\n    L: x = y + 2;\n}\n";
        check(
            text,
            &["active", "x ="],
            "active proctype P() {\n    x = 0;\n}\n",
        );
    }

    #[test]
    fn a_model_stays_balanced() {
        for seed in 0..20 {
            let text = model(seed);
            let lines: Lines = text.lines().map(str::to_owned).collect();
            assert!(is_balanced(&lines), "seed {seed}:\n{text}");
            let mut fails = |text: &str| text.contains("proctype") || text.contains("init");
            let small = shrink(&text, &mut fails);
            assert!(small.lines().count() <= 3, "seed {seed}:\n{small}");
        }
    }
}
