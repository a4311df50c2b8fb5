//! What a nested search found.

use space::{Acceptance, Expansion, Mark, Row, Trace, Violation, ViolationKind};

use super::Nested;
use crate::Completion;
use crate::colours::Colours;
use crate::lasso::levels;
use crate::replay;
use crate::unfold::Unfold;
use crate::waiting::Entry;

impl<M: Acceptance, C: Colours, U: Unfold> Nested<'_, M, C, U> {
    /// Report what the step of a row breaks.
    #[cold]
    pub(super) fn note_violation(&mut self, entry: &Entry<Mark>) -> Result<(), Completion> {
        if entry.row.has(Row::FAULT) {
            // A step may take long to fail, as an endless d_step does.
            self.position.accounting.work_hard();
        }
        let control = self.position.top().control;
        let order = self.position.accounting.config.order;
        let mut found = Expansion::default();
        order.expand(self.model, self.position.path.vector(), control, &mut found);
        let violations = found.violations_of(entry.number as usize);
        for violation in violations.collect::<Vec<Violation>>() {
            // The steps before it, except that an event trace is heard after the step.
            let heard = i64::from(violation.kind == ViolationKind::EventTrace);
            self.report(violation, Some(entry), self.position.level as i64 + heard)?;
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
        self.position.accounting.record(violation, depth, trace)
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
        self.position.accounting.record(violation, depth, trace)
    }

    /// The steps of the path, and that of a row.
    pub(super) fn trace(&mut self, via: Option<&Entry<Mark>>) -> Result<Trace, Completion> {
        let rows = self.position.path.rows();
        let rows = rows.map_err(|error| self.position.accounting.give_up(&error))?;
        let order = self.position.accounting.config.order;
        let mut trace = replay::trace(self.model, order, &rows);
        if let Some(entry) = via {
            trace.steps.extend(entry.row.step());
            trace.claim.push(entry.marks.edge);
        }
        Ok(trace)
    }
}
