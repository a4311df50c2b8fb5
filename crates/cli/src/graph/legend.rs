//! The legend of a picture: only what occurs in it.

use std::fmt::Write;

use super::automaton::{Automaton, State, Step, StepKind};

/// Height of a row.
const ROW: i64 = 24;
/// Width of a sample, with the room to its text.
const SAMPLE: i64 = 40;
/// Width of a character, with some room to spare.
const CHAR: i64 = 7;
/// Room behind an entry.
const BEHIND: i64 = 18;

/// A legend.
#[derive(Debug)]
pub struct Legend {
    /// Its height.
    pub height: i64,
    /// The parts of SVG.
    pub drawing: String,
}

/// Draw a legend of at most this width.
pub fn draw(automata: &[Automaton], width: i64) -> Legend {
    let mut drawing = String::new();
    let (mut x, mut rows) = (0, 0);
    for (sample, text) in entries(automata) {
        let entry = SAMPLE + text.len() as i64 * CHAR + BEHIND;
        if rows == 0 || x + entry > width {
            (x, rows) = (0, rows + 1);
        }
        let y = (rows - 1) * ROW + ROW / 2;
        let _ = writeln!(
            drawing,
            "<g transform=\"translate({x} {y})\">{sample}\
             <text class=\"key\" x=\"{SAMPLE}\" y=\"4\">{text}</text></g>"
        );
        x += entry;
    }
    Legend {
        height: rows * ROW,
        drawing,
    }
}

/// Samples and what they mean.
fn entries(automata: &[Automaton]) -> Vec<(String, &'static str)> {
    let state = |is: fn(&State) -> bool| automata.iter().flat_map(|a| &a.states).any(is);
    let step = |is: fn(&Step) -> bool| automata.iter().flat_map(|a| &a.steps).any(is);
    let entries = [
        (state(|s| s.end), ellipse("state", true), "may end here"),
        (state(State::is_gone), dot(), "process has ended"),
        (
            state(|s| s.accept),
            ellipse("state accept", false),
            "accepting",
        ),
        (
            state(|s| s.progress && !s.accept),
            ellipse("state progress", false),
            "progress",
        ),
        (
            step(|s| s.kind == StepKind::Atomic),
            line("atomic"),
            "atomic: keeps control",
        ),
        (
            step(|s| s.kind == StepKind::DStep),
            line("d_step"),
            "d_step: one step",
        ),
        (step(|s| s.escape), line("escape"), "unless: escape"),
    ];
    let present = entries.into_iter().filter(|(present, ..)| *present);
    present.map(|(_, sample, text)| (sample, text)).collect()
}

fn ellipse(class: &str, double: bool) -> String {
    let inner = match double {
        true => "<ellipse class=\"inner\" cx=\"22\" rx=\"6\" ry=\"6\"/>",
        false => "",
    };
    format!(
        "<g class=\"{class}\"><ellipse class=\"outer\" cx=\"22\" rx=\"9\" ry=\"9\"/>{inner}</g>"
    )
}

fn dot() -> String {
    "<circle class=\"gone\" cx=\"22\" r=\"6\"/>".to_owned()
}

fn line(class: &str) -> String {
    format!("<g class=\"{class}\"><path d=\"M2 0 H34\"/></g>")
}
