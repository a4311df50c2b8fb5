//! For Graphviz.

use std::fmt::Write;

use super::condition::{Notation, quoted, show_marks};
use crate::automaton::{Automaton, StateIx};

/// The automaton as a graph for Graphviz; `atoms` are the texts of the atoms.
///
/// Accepting states have two circles where acceptance is on states; otherwise edges show the sets
/// they belong to.
pub fn to_dot(automaton: &Automaton, atoms: &[String], name: &str) -> String {
    let notation = Notation {
        and: " && ",
        or: " || ",
        yes: "true",
        nested: true,
        atom: &|atom| atoms[atom as usize].clone(),
    };
    let on_states = automaton.on_states && automaton.sets == 1;
    let mut text = format!(
        "digraph {} {{\n  rankdir=LR\n  node [shape=circle]\n  start [shape=point]\n  start -> {}\n",
        quoted(name),
        automaton.initial
    );
    for (index, state) in automaton.states.iter().enumerate() {
        if on_states && automaton.is_accepting(StateIx(index as u32)) {
            let _ = writeln!(text, "  {index} [shape=doublecircle]");
        } else {
            let _ = writeln!(text, "  {index}");
        }
        for edge in &state.edges {
            let marks = if on_states { 0 } else { edge.marks };
            let label = format!("{} {}", notation.show(&edge.condition), show_marks(marks));
            let label = quoted(label.trim_end());
            let _ = writeln!(text, "  {index} -> {} [label={label}]", edge.target);
        }
    }
    text.push_str("}\n");
    text
}
