//! Non-progress cycles as an automaton: at some point it guesses that there is no progress
//! any more.
//!
//! Follows: Spin's built-in claim for `pan -l`.

use ltl::{Automaton, Class, Condition, Cube, Edge, State, StateIx};
use model::{Expr, ExprId, Model};
use space::ViolationKind;

use crate::Observer;

/// The automaton that accepts executions without progress, over an expression that is
/// added to the model.
pub fn non_progress(model: &mut Model) -> Observer {
    model.exprs.push(Expr::NonProgress);
    let atom = ExprId(model.exprs.len() as u32 - 1);
    let edge = |positive, marks, target| Edge {
        condition: Condition {
            cubes: vec![Cube {
                positive,
                negative: 0,
            }],
        },
        marks,
        target: StateIx(target),
    };
    let waits = State {
        edges: vec![edge(1, 0, 1), edge(0, 0, 0)],
    };
    let lacks_progress = State {
        edges: vec![edge(1, 1, 1)],
    };
    Observer {
        automaton: Automaton {
            states: vec![waits, lacks_progress],
            initial: StateIx(0),
            sets: 1,
            atoms: 1,
            class: Class::Weak,
            on_states: true,
        },
        atoms: vec![atom],
        cycle_kind: ViolationKind::NonProgressCycle,
    }
}
