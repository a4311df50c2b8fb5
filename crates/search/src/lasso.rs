//! Counterexamples from the numbers of their moves.

use space::{NextState, Step, Trace, Violation, ViolationKind};

use crate::accounting::Accounting;
use crate::bfs::Walk;
use crate::moves::Moves;

/// The levels that steps add to the depth.
pub(crate) fn levels(steps: &[Step]) -> i64 {
    let levels = |step: &Step| 1 + i64::from(step.partner.is_some());
    steps.iter().map(levels).sum()
}

/// The lasso of a stem and a cycle, and Spin's depth of it: the levels of the stem.
pub(crate) fn lasso<M: NextState>(
    model: &mut M,
    stem: impl IntoIterator<Item = u32>,
    cycle: &[u32],
    accounting: &mut Accounting<'_>,
) -> (Trace, i64) {
    let mut walk = Walk::new(model, true);
    for number in stem {
        walk.take_move(model, number, accounting);
    }
    let start = walk.trace.steps.len();
    for &number in cycle {
        walk.take_move(model, number, accounting);
    }
    walk.trace.cycle = Some(start);
    let depth = levels(&walk.trace.steps[..start]);
    (walk.trace, depth)
}

/// The execution to a violation by the step of a row, or in the state itself, behind some
/// moves, and Spin's depth of it. `moves` are those of the state.
pub(crate) fn finite<M: NextState>(
    model: &mut M,
    stem: impl IntoIterator<Item = u32>,
    (moves, row): (&Moves, Option<usize>),
    violation: &Violation,
    accounting: &mut Accounting<'_>,
) -> (Trace, i64) {
    let mut walk = Walk::new(model, true);
    for number in stem {
        walk.take_move(model, number, accounting);
    }
    let Some(row) = row else {
        let depth = levels(&walk.trace.steps) - 1;
        return (walk.trace, depth);
    };
    walk.append(&moves.before(row));
    // An event trace is heard after the step.
    let heard = i64::from(violation.kind == ViolationKind::EventTrace);
    let depth = levels(&walk.trace.steps) + heard;
    walk.trace.steps.extend(moves.found.rows[row].step());
    walk.trace.claim.extend(moves.found.edge(row));
    (walk.trace, depth)
}
