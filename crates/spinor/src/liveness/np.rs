//! Non-progress cycles as an automaton: at some point it guesses that there is no progress
//! any more.
//!
//! Follows: Spin's built-in claim for `pan -l`.

use model::{Expr, ExprId, Model};
use product::{Automaton, Edge, State};
use space::ViolationKind;

/// The automaton that accepts executions without progress, over an expression that is
/// added to the model.
pub(super) fn non_progress(model: &mut Model) -> Automaton {
    model.exprs.push(Expr::NonProgress);
    let atom = ExprId(model.exprs.len() as u32 - 1);
    let anything = Edge {
        positive: 0,
        negative: 0,
        target: 0,
        sets: 0,
    };
    let gives_up = Edge {
        positive: 1,
        target: 1,
        ..anything
    };
    let lacks_progress = Edge {
        sets: 1,
        ..gives_up
    };
    Automaton {
        states: vec![
            State {
                edges: vec![gives_up, anything],
            },
            State {
                edges: vec![lacks_progress],
            },
        ],
        initial: 0,
        sets: 1,
        atoms: vec![atom],
        cycle_kind: ViolationKind::NonProgressCycle,
    }
}
