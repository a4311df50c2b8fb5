//! Executions from the numbers of the rows that were taken.

use space::{Control, Expansion, NextState, Row, Trace};

use crate::Order;

/// A walk from the initial state along the rows of expansions.
pub(crate) struct Replay<'a, M> {
    model: &'a mut M,
    order: Order,
    /// The steps out of the node before.
    pub(crate) found: Expansion,
    /// The vector of the current node.
    pub(crate) vector: Vec<u8>,
    /// Who may move there.
    pub(crate) control: Control,
}

impl<'a, M: NextState> Replay<'a, M> {
    /// Begin in the initial state.
    pub(crate) fn new(model: &'a mut M, order: Order) -> Replay<'a, M> {
        let vector = model.initial().unwrap_or_default();
        Replay::from(model, order, vector)
    }

    /// Begin in a state.
    pub(crate) fn from(model: &'a mut M, order: Order, vector: Vec<u8>) -> Replay<'a, M> {
        Replay {
            model,
            order,
            found: Expansion::default(),
            vector,
            control: Control::Free,
        }
    }

    /// Take the row of this number; `see` gets the node before, its control there, the row
    /// and the node behind. None if there is no such row: then it was another model.
    pub(crate) fn take(
        &mut self,
        number: u32,
        see: impl FnOnce(&[u8], Control, &Row, &[u8]),
    ) -> Option<()> {
        let Replay {
            model,
            order,
            found,
            vector,
            control,
        } = self;
        order.expand(*model, vector, *control, found);
        if *control != Control::Free && !found.moved {
            *control = Control::Free;
            order.expand(*model, vector, *control, found);
        }
        let row = found.rows.get(number as usize)?;
        if !row.has_successor() {
            return None;
        }
        see(vector, *control, row, found.vector(row));
        vector.clear();
        vector.extend_from_slice(found.vector(row));
        *control = row.control();
        Some(())
    }
}

/// The steps of a path, by the numbers of its rows.
pub(crate) fn trace<M: NextState>(model: &mut M, order: Order, rows: &[u32]) -> Trace {
    let mut replay = Replay::new(model, order);
    let mut trace = Trace::of_steps(Vec::with_capacity(rows.len()));
    for &number in rows {
        let taken = replay.take(number, |_, _, row, _| trace.steps.extend(row.step()));
        if taken.is_none() {
            break;
        }
        trace.claim.extend(replay.found.edge(number as usize));
    }
    trace
}
