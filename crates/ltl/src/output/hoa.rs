//! The Hanoi omega-automata format, version 1.
//!
//! Follows: [Babiak et al. 2015].

use std::fmt::Write;

use super::condition::{Notation, quoted, show_marks};
use crate::automaton::{Automaton, Class};

/// The automaton in the Hanoi format; `atoms` are the texts of the atoms.
pub fn to_hoa(automaton: &Automaton, atoms: &[String], name: &str) -> String {
    let notation = Notation {
        and: "&",
        or: " | ",
        yes: "t",
        nested: false,
        atom: &|atom| atom.to_string(),
    };
    let on_states = automaton.on_states && automaton.sets > 0;
    let mut text = header(automaton, atoms, name, on_states);
    for (index, state) in automaton.states.iter().enumerate() {
        let marks = state.edges.first().map_or(0, |edge| edge.marks);
        let marks = if on_states { marks } else { 0 };
        let line = format!("State: {index} {}", show_marks(marks));
        let _ = writeln!(text, "{}", line.trim_end());
        for edge in &state.edges {
            let condition = notation.show(&edge.condition);
            let marks = if on_states { 0 } else { edge.marks };
            let line = format!("[{condition}] {} {}", edge.target, show_marks(marks));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text.push_str("--END--\n");
    text
}

fn header(automaton: &Automaton, atoms: &[String], name: &str, on_states: bool) -> String {
    let atoms = &atoms[..automaton.atoms];
    let names: Vec<String> = atoms
        .iter()
        .map(|atom| format!(" {}", quoted(atom)))
        .collect();
    let (acceptance, condition) = match automaton.sets {
        0 => ("all".to_owned(), "t".to_owned()),
        1 => ("Buchi".to_owned(), "Inf(0)".to_owned()),
        sets => {
            let each: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
            (format!("generalized-Buchi {sets}"), each.join("&"))
        }
    };
    let mut properties = vec!["trans-labels", "explicit-labels"];
    properties.push(if on_states { "state-acc" } else { "trans-acc" });
    if automaton.is_deterministic() {
        properties.push("deterministic");
    }
    if automaton.class != Class::General {
        properties.push("inherently-weak");
    }
    format!(
        "HOA: v1\nname: {}\nStates: {}\nStart: {}\nAP: {}{}\nacc-name: {acceptance}\n\
         Acceptance: {} {condition}\nproperties: {}\n--BODY--\n",
        quoted(name),
        automaton.states.len(),
        automaton.initial,
        atoms.len(),
        names.concat(),
        automaton.sets,
        properties.join(" ")
    )
}
