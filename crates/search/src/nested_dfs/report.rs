//! What a nested search found.

use std::ops::ControlFlow;

use space::{Acceptance, Mark, Row, Trace, Violation, ViolationKind};

use super::Nested;
use crate::Completion;
use crate::colours::Colours;
use crate::lasso::levels;
use crate::replay::{self, Replay};
use crate::unfold::Unfold;
use crate::waiting::Entry;
use crate::worth::{all_sets, mark};

impl<M: Acceptance, C: Colours, U: Unfold> Nested<'_, M, C, U> {
    /// Report what the step of a row breaks.
    #[cold]
    pub(super) fn blame(&mut self, entry: &Entry<Mark>) -> Result<(), Completion> {
        if entry.row.has(Row::FAULT) {
            // A step may take long to fail, as an endless d_step does.
            self.tally.work_hard();
        }
        let control = self.top().control;
        let order = self.tally.config.order;
        order.expand(self.model, self.path.vector(), control, &mut self.found);
        let violations = self.found.violations_of(entry.number as usize);
        for violation in violations.collect::<Vec<Violation>>() {
            // The steps before it, except that an event trace is heard after the step.
            let heard = i64::from(violation.kind == ViolationKind::EventTrace);
            self.report(violation, Some(entry), self.level as i64 + heard)?;
        }
        Ok(())
    }

    /// Count a violation of safety, keep its trace if it is wanted, and end if it was the
    /// last one asked for.
    #[cold]
    pub(super) fn report(
        &mut self,
        violation: Violation,
        via: Option<&Entry<Mark>>,
        depth: i64,
    ) -> Result<(), Completion> {
        let trace = self.trace(via)?;
        self.tally.record(violation, depth, trace)
    }

    /// A cycle is closed: it begins in the frame of this number and ends with the row, or in
    /// the current node.
    #[cold]
    pub(super) fn close(
        &mut self,
        start: usize,
        via: Option<&Entry<Mark>>,
    ) -> Result<(), Completion> {
        let mut trace = self.trace(via)?;
        trace.cycle = Some(start);
        let depth = levels(&trace.steps[..start]);
        let violation = self.model.cycle_kind().into();
        self.tally.record(violation, depth, trace)
    }

    /// The steps of the path, and that of a row.
    pub(super) fn trace(&mut self, via: Option<&Entry<Mark>>) -> Result<Trace, Completion> {
        let rows = self.path.rows();
        let rows = rows.map_err(|error| self.tally.give_up(&error))?;
        let order = self.tally.config.order;
        let mut trace = replay::trace(self.model, order, &rows);
        if let Some(entry) = via {
            trace.steps.extend(entry.row.step());
            trace.claim.push(entry.worth.edge);
        }
        Ok(trace)
    }

    /// The step of a row leads back to a node of the same atomic sequence, the child.
    #[cold]
    pub(super) fn close_endless(&mut self, entry: &Entry<Mark>) -> Result<(), Completion> {
        self.tally.figures.endless_atomics += 1;
        let control = entry.row.control();
        let mut start = self.frames.len() - 1;
        let here = self.top().control;
        if (self.path.vector(), here) != (&self.child[..], control) {
            let frames = &self.frames;
            let looked = self.path.look_back(|_, vector| {
                start -= 1;
                match frames[start].control == control && vector == self.child {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            looked.map_err(|error| self.tally.give_up(&error))?;
        }
        let rows = self.path.rows();
        let rows = rows.map_err(|error| self.tally.give_up(&error))?;
        let mut replay = Replay::new(self.model, self.tally.config.order);
        let mut sets = entry.worth.sets;
        for (number, &row) in rows.iter().enumerate() {
            if replay.take(row, |_, _, _, _| {}).is_none() {
                break;
            }
            if number >= start {
                sets |= mark(&replay.found, row as usize).sets;
            }
        }
        let all = all_sets(self.model.sets());
        if self.root.is_none() && sets & all == all {
            // Nobody else is enabled inside, so it is fair.
            return self.close(start, Some(entry));
        }
        self.tally.truncated = true;
        Ok(())
    }
}
