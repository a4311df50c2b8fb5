//! Automata in the language of Graphviz: one digraph, a cluster for each proctype.

use std::fmt::Write;

use super::automaton::{Automaton, State, Step, StepKind};
use super::{paint, text};

/// Characters in a line of an edge's label, and lines.
const LABEL: (usize, usize) = (32, 4);

/// Write automata as DOT.
pub fn draw(automata: &[Automaton]) -> String {
    let mut out = String::new();
    out.push_str("digraph automata {\n");
    out.push_str("  graph [fontname=\"Helvetica\", newrank=true];\n");
    out.push_str(
        "  node [shape=circle, fontname=\"Helvetica\", fontsize=11, width=0.4, margin=0.03];\n",
    );
    out.push_str("  edge [fontname=\"Courier\", fontsize=10, arrowsize=0.7];\n");
    for (number, automaton) in automata.iter().enumerate() {
        cluster(&mut out, number, automaton);
    }
    out.push_str("}\n");
    out
}

fn cluster(out: &mut String, number: usize, automaton: &Automaton) {
    let _ = writeln!(out, "\n  subgraph cluster_{number} {{");
    let _ = writeln!(out, "    label={};", text::dot(&automaton.title));
    let _ = writeln!(out, "    tooltip={};", text::dot(&automaton.location));
    let name = |row: usize| format!("p{number}_{}", automaton.states[row].control.0);
    let _ = writeln!(
        out,
        "    p{number}_start [shape=point, width=0.08, label=\"\"];"
    );
    // Graphviz takes what comes first for what lies above: nearest to the start first.
    let distance = automaton.distances();
    let mut rows: Vec<usize> = (0..automaton.states.len()).collect();
    rows.sort_by_key(|&row| (distance[row], row));
    for &row in &rows {
        let state = &automaton.states[row];
        let _ = writeln!(out, "    {} [{}];", name(row), node(state));
    }
    let _ = writeln!(out, "    p{number}_start -> {};", name(automaton.initial));
    let mut steps: Vec<&Step> = automaton.steps.iter().collect();
    steps.sort_by_key(|step| (distance[step.source], step.source));
    for step in steps {
        let (source, target) = (name(step.source), name(step.target));
        let _ = writeln!(out, "    {source} -> {target} [{}];", edge(step));
    }
    out.push_str("  }\n");
}

fn node(state: &State) -> String {
    if state.is_gone() {
        return "shape=point, width=0.15, label=\"\", tooltip=\"the process has ended\"".to_owned();
    }
    let mut attributes = format!("label={}", text::dot(&state.control.0.to_string()));
    if state.end {
        attributes.push_str(", shape=doublecircle");
    }
    if let Some(color) = paint::state_fill(state) {
        let _ = write!(attributes, ", style=filled, fillcolor=\"{color}\"");
    }
    if !state.labels.is_empty() {
        let labels = text::dot(&state.label_lines().join("\n"));
        let _ = write!(attributes, ", xlabel={labels}");
    }
    if let Some(location) = &state.location {
        let _ = write!(attributes, ", tooltip={}", text::dot(location));
    }
    attributes
}

fn edge(step: &Step) -> String {
    let label = text::wrap(&step.text, LABEL.0, LABEL.1).join("\n");
    let mut attributes = format!("label={}", text::dot(&label));
    let style = match (step.escape, step.kind) {
        (false, StepKind::Plain) => "",
        (false, _) => ", style=bold",
        (true, StepKind::Plain) => ", style=dashed",
        (true, _) => ", style=\"bold,dashed\"",
    };
    attributes.push_str(style);
    if let Some(color) = paint::step_color(step) {
        let _ = write!(attributes, ", color=\"{color}\", fontcolor=\"{color}\"");
    }
    let tooltip = text::dot(&step.location);
    let _ = write!(attributes, ", tooltip={tooltip}, labeltooltip={tooltip}");
    attributes
}
