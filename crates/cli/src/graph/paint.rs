//! Colours, the same in all formats. Each can be told apart without them, too: by the
//! width and dashes of lines, by the labels of states.

use super::automaton::{State, Step, StepKind};

/// Lines of `atomic` statements.
pub const ATOMIC: &str = "#1f5fbf";
/// Lines of `d_step` sequences.
pub const D_STEP: &str = "#7d3cb5";
/// Lines into the escape of an `unless`.
pub const ESCAPE: &str = "#b8381f";
/// Accepting states.
pub const ACCEPT: &str = "#ffd9a0";
/// States that are progress.
pub const PROGRESS: &str = "#cdebc5";

/// The colour of a statement's line and text, if it is not plain.
pub fn step_color(step: &Step) -> Option<&'static str> {
    match step.kind {
        _ if step.escape => Some(ESCAPE),
        StepKind::Plain => None,
        StepKind::Atomic => Some(ATOMIC),
        StepKind::DStep => Some(D_STEP),
    }
}

/// The colour inside a state, if it is marked.
pub fn state_fill(state: &State) -> Option<&'static str> {
    match (state.accept, state.progress) {
        (true, _) => Some(ACCEPT),
        (false, true) => Some(PROGRESS),
        (false, false) => None,
    }
}
