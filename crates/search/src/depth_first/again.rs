//! Expanding nodes again whose rows had to be dropped.

use std::ops::ControlFlow;

use space::{Control, NextState};

use super::rows::Rows;
use super::{DepthFirst, Policy};
use crate::Completion;
use crate::path::Rest;

/// How many nodes of the path are expanded again together.
const NODES: usize = 16;
/// How far down the path they are looked for.
const REACH: usize = 64;

/// A node of the path that is expanded again.
#[derive(Debug, Default)]
pub(super) struct Again {
    rows: Rows,
    vector: Vec<u8>,
    control: Control,
}

impl<M: NextState, P: Policy> DepthFirst<'_, M, P> {
    /// Expand the current node again, whose rows before `from` are done, and some before it
    /// on the path that will have their turn soon, and make their rows pending. Looking all
    /// their successors up together is much faster than node by node.
    #[cold]
    pub(super) fn expand_again(&mut self, from: usize) -> Result<(), Completion> {
        let count = self.find_unfinished(from)?;
        let DepthFirst {
            model,
            here,
            order,
            pending,
            again,
            ..
        } = self;
        for again in &mut again[..count] {
            let Again { rows, vector, .. } = again;
            order.expand(*model, vector, again.control, &mut rows.found);
            here.accounting.work(rows.found.rows.len(), vector.len());
            here.policy.focus(&vector[here.hidden_len..]);
            rows.begin(here, again.control);
            rows.prepare(*model, here);
        }
        for again in &mut again[..count] {
            again.rows.touch(here);
        }
        for again in again[..count].iter().rev() {
            if let Rest::Known(known) = again.rows.keep(here, pending) {
                pending.push_done(again.rows.node, known);
            }
        }
        pending.trim();
        Ok(())
    }

    /// Find the current node and those before it that are not finished. How many there are.
    fn find_unfinished(&mut self, from: usize) -> Result<usize, Completion> {
        let DepthFirst {
            here,
            pending,
            again,
            ..
        } = self;
        again.resize_with(NODES, Again::default);
        let (mut level, mut node) = (here.level, here.path.len());
        again[0].begin(here.path.vector(), here.control, level, node, from);
        let (mut count, mut seen) = (1, 0);
        let looked = here.path.look_back(|link, before| {
            level -= link.levels;
            node -= link.steps();
            seen += 1;
            if count == NODES || seen == REACH || pending.belongs_to(node) {
                return ControlFlow::Break(());
            }
            if link.rest == Rest::More {
                again[count].begin(before, link.control, level, node, link.row as usize + 1);
                count += 1;
            }
            ControlFlow::Continue(())
        });
        looked.map_err(|error| here.accounting.give_up(&error))?;
        Ok(count)
    }
}

impl Again {
    fn begin(&mut self, vector: &[u8], control: Control, level: u64, node: u64, from: usize) {
        self.vector.clear();
        self.vector.extend_from_slice(vector);
        self.control = control;
        (self.rows.from, self.rows.node, self.rows.level) = (from, node, level);
    }
}
