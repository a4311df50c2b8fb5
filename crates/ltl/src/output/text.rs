//! For people.

use std::fmt::Write;

use super::condition::{Notation, show_marks};
use crate::automaton::{Automaton, Class};
use crate::print::show_atom;

/// The automaton as lines that people can read; `atoms` are the texts of the atoms.
pub fn to_text(automaton: &Automaton, atoms: &[String]) -> String {
    let notation = Notation {
        and: " && ",
        or: " || ",
        yes: "true",
        nested: true,
        atom: &|atom| show_atom(&atoms[atom as usize]),
    };
    let class = match automaton.class {
        Class::Terminal => "terminal",
        Class::Weak => "weak",
        Class::General => "general",
    };
    let mut text = format!(
        "{}, {}, {}, {class}\n",
        count(automaton.states.len(), "state"),
        count(automaton.edges(), "edge"),
        count(automaton.sets as usize, "acceptance set")
    );
    for (index, state) in automaton.states.iter().enumerate() {
        let initial = if index == automaton.initial.index() {
            ", initial"
        } else {
            ""
        };
        let _ = writeln!(text, "state {index}{initial}");
        for edge in &state.edges {
            let condition = notation.show(&edge.condition);
            let marks = show_marks(edge.marks);
            let line = format!("  {condition} -> {} {marks}", edge.target);
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
