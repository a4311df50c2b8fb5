//! For Spin: never claims.
//!
//! Labels follow Spin's habits: `T0_init` or `accept_init` first, `accept_all` for a state that
//! accepts whatever comes. A claim that reaches its end has found an error, so `accept_all` needs no
//! loop.

use std::fmt::Write;

use super::condition::Notation;
use crate::automaton::{Automaton, StateIx};
use crate::degeneralise::degeneralise;

/// The automaton as a never claim of Promela; `atoms` are the texts of the atoms.
///
/// Generalised automata are degeneralised first.
pub fn to_never(automaton: &Automaton, atoms: &[String], name: &str) -> String {
    if !(automaton.on_states && automaton.sets == 1) {
        return to_never(&degeneralise(automaton), atoms, name);
    }
    let notation = Notation {
        and: " && ",
        or: " || ",
        yes: "1",
        nested: true,
        atom: &|atom| format!("({})", atoms[atom as usize]),
    };
    // A comment cannot hold the end of a comment.
    let name = name.replace("*/", "* /");
    let mut text = format!("never {{ /* {name} */\n");
    for state in order(automaton) {
        let _ = writeln!(text, "{}:", label(automaton, state));
        if accepts_all(automaton, state) {
            text.push_str("\tskip\n");
            continue;
        }
        let edges = &automaton.states[state.index()].edges;
        if edges.is_empty() {
            text.push_str("\tfalse;\n");
            continue;
        }
        text.push_str("\tdo\n");
        for edge in edges {
            let condition = notation.show(&edge.condition);
            let target = label(automaton, edge.target);
            let _ = writeln!(text, "\t:: ({condition}) -> goto {target}");
        }
        text.push_str("\tod;\n");
    }
    text.push_str("}\n");
    text
}

/// The initial state first and, as it has no loop, `accept_all` last.
fn order(automaton: &Automaton) -> Vec<StateIx> {
    let all = (0..automaton.states.len() as u32).map(StateIx);
    let mut states: Vec<StateIx> = all.collect();
    states.sort_by_key(|&state| {
        let initial = state == automaton.initial;
        (!initial, accepts_all(automaton, state), state)
    });
    states
}

/// True if the state accepts every word.
fn accepts_all(automaton: &Automaton, state: StateIx) -> bool {
    let edges = &automaton.states[state.index()].edges;
    let stays = |target| target == state && automaton.is_accepting(state);
    matches!(&edges[..], [only] if only.condition.is_true() && stays(only.target))
}

fn label(automaton: &Automaton, state: StateIx) -> String {
    let initial = state == automaton.initial;
    match (automaton.is_accepting(state), initial) {
        (true, true) => "accept_init".to_owned(),
        (true, false) if accepts_all(automaton, state) => "accept_all".to_owned(),
        (true, false) => format!("accept_S{state}"),
        (false, true) => "T0_init".to_owned(),
        (false, false) => format!("T0_S{state}"),
    }
}
