//! Expanding nodes again whose rows had to be dropped.

use std::ops::ControlFlow;

use space::{Control, NextState};

use super::rows::Rows;
use super::{DepthFirst, Policy, taken_in};
use crate::Completion;
use crate::path::Rest;

/// How many nodes of the path are expanded again together.
const NODES: usize = 16;
/// How far down the path they are looked for.
const REACH: usize = 64;

/// A node of the path that is expanded again.
#[derive(Debug, Default)]
pub(super) struct Reexpansion {
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
            position,
            order,
            pending,
            reexpansions,
            taken,
            ..
        } = self;
        for reexpansion in &mut reexpansions[..count] {
            let Reexpansion { rows, vector, .. } = reexpansion;
            order.expand(*model, vector, reexpansion.control, &mut rows.found);
            position
                .accounting
                .work(rows.found.rows.len(), vector.len());
            position.policy.focus(&vector[position.hidden_len..]);
            rows.begin(position, reexpansion.control);
            rows.taken = taken_in(taken, rows.node);
            rows.prepare(*model, position);
        }
        for reexpansion in &mut reexpansions[..count] {
            reexpansion.rows.touch(position);
        }
        for reexpansion in reexpansions[..count].iter().rev() {
            if let Rest::Known(known) = reexpansion.rows.keep(position, pending) {
                pending.push_done(reexpansion.rows.node, known);
            }
        }
        pending.trim();
        Ok(())
    }

    /// Find the current node and those before it that are not finished. How many there are.
    fn find_unfinished(&mut self, from: usize) -> Result<usize, Completion> {
        let DepthFirst {
            position,
            pending,
            reexpansions,
            ..
        } = self;
        reexpansions.resize_with(NODES, Reexpansion::default);
        let (mut level, mut node) = (position.level, position.path.len());
        reexpansions[0].begin(position.path.vector(), position.control, level, node, from);
        let (mut count, mut seen) = (1, 0);
        let looked = position.path.look_back(|link, before| {
            level -= link.levels;
            node -= link.steps();
            seen += 1;
            if count == NODES || seen == REACH || pending.belongs_to(node) {
                return ControlFlow::Break(());
            }
            if link.rest == Rest::More {
                reexpansions[count].begin(before, link.control, level, node, link.row as usize + 1);
                count += 1;
            }
            ControlFlow::Continue(())
        });
        looked.map_err(|error| position.accounting.give_up(&error))?;
        Ok(count)
    }
}

impl Reexpansion {
    fn begin(&mut self, vector: &[u8], control: Control, level: u64, node: u64, from: usize) {
        self.vector.clear();
        self.vector.extend_from_slice(vector);
        self.control = control;
        (self.rows.from, self.rows.node, self.rows.level) = (from, node, level);
    }
}
