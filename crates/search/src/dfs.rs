//! Depth-first search for safety violations, in Spin's order and with Spin's counts.
//!
//! Follows: [003, Fig. 8.2], the search of Fig. 8.1 with a check of each state; the depth
//! bound is that of Fig. 8.4 without the depths in the state space.
//!
//! Departs:
//! - An explicit stack replaces the recursion; a frame keeps where the enumeration of its
//!   node stands.
//! - Nodes inside an atomic sequence ([`Control::Exclusive`]) are on the stack but not in
//!   the state space. When such a node has no step, it is taken again as a free one. This
//!   loses no state: everything reachable through an unstored node is found from it on
//!   every path that meets it.
//! - A handshake is one step but two levels. Its middle counts in the depth, also when
//!   there is no partner, and meets the depth bound like a node.
//! - Errors of a step (assertions) are found on the way, not as a property of a state. The
//!   search goes on behind them, and behind an invalid end state, up to a number of errors.
//! - States beyond the depth bound are missed even where a shorter path leads to them, as
//!   in Spin without `-DREACH`. The outcome is not complete then, nor when an end state
//!   next to the bound is passed over, as Spin does. Steps that wait for `timeout` are
//!   tried next to the bound too, where Spin does not try them: `matched` can be greater.
//! - Without a depth bound, a path inside an atomic sequence is cut when it has come back to
//!   a node of the same stretch of the path: what follows is enumerated there already.
//!   With a bound it runs into the bound as Spin's does.

use std::sync::atomic::Ordering;
use std::time::Instant;

use space::{Advance, Control, NextState, Step, Successor, Violation, ViolationKind};
use store::{Insert, StateStore};

use crate::findings::Findings;
use crate::stack::Stack;
use crate::{Completion, Figures, Outcome, SearchConfig};

/// Look at limits and report progress once per so many calls of the model.
const POLL_INTERVAL: usize = 4096;
/// A vector of this many bytes costs as much as one more step.
const LONG_VECTOR: usize = 1 << 10;

/// Search all executions of a model depth first for safety violations.
///
/// The store must be empty.
pub fn dfs<M: NextState, S: StateStore>(
    model: &mut M,
    store: &mut S,
    config: &SearchConfig<'_>,
) -> Outcome {
    debug_assert!(store.is_empty());
    Dfs {
        bound: config.depth.unwrap_or(u64::MAX),
        start: Instant::now(),
        hidden_len: model.hidden_len(),
        stack: Stack::new(model.hidden_len()),
        vector: Vec::new(),
        next: Successor::default(),
        level: 0,
        truncated: false,
        figures: Figures::default(),
        reached: vec![false; model.transition_count()],
        findings: Findings::new(config.kept_traces),
        model,
        store,
        config,
    }
    .run()
}

/// The search under way.
///
/// Invariant: `vector` is the state vector of the top of the stack and `level` its level.
struct Dfs<'a, M: NextState, S: StateStore> {
    model: &'a mut M,
    store: &'a mut S,
    config: &'a SearchConfig<'a>,
    bound: u64,
    start: Instant,
    hidden_len: usize,
    stack: Stack<M::Cursor>,
    vector: Vec<u8>,
    next: Successor,
    level: u64,
    truncated: bool,
    figures: Figures,
    reached: Vec<bool>,
    findings: Findings,
}

impl<M: NextState, S: StateStore> Dfs<'_, M, S> {
    fn run(mut self) -> Outcome {
        let completion = match self.search() {
            Err(ended) => ended,
            Ok(()) if self.truncated => Completion::DepthLimit,
            Ok(()) => Completion::Complete,
        };
        if let Some(progress) = self.config.progress {
            progress.update(&self.figures, self.memory_bytes());
        }
        Outcome {
            figures: self.figures,
            reached: self.reached,
            duration: self.start.elapsed(),
            store_bytes: self.store.memory_bytes(),
            stack_bytes: self.stack.memory_bytes(),
            completion,
            exact: S::EXACT,
            findings: self.findings.into_list(),
        }
    }

    /// Search until there is nothing left, or a reason to end.
    fn search(&mut self) -> Result<(), Completion> {
        match self.model.initial() {
            Err(violation) => return self.report(violation, None, -1),
            Ok(vector) => self.next.state = vector,
        }
        self.enter(0);
        let mut until_poll = POLL_INTERVAL;
        while let Some(frame) = self.stack.top() {
            // Long vectors take longer, so the limits are looked at more often.
            let work = (1 + self.vector.len() / LONG_VECTOR).min(POLL_INTERVAL);
            if until_poll < work {
                until_poll = POLL_INTERVAL;
                self.poll()?;
                continue;
            }
            until_poll -= work;
            let control = frame.control();
            self.next.step = None;
            self.next.violation = None;
            self.next.further.clear();
            let advance =
                self.model
                    .advance(&self.vector, control, &mut frame.cursor, &mut self.next);
            match advance {
                Advance::Step => self.step()?,
                Advance::Fault => {
                    // A step may take long to fail, as an endless d_step does.
                    until_poll = 0;
                    self.fault()?;
                }
                Advance::Offer => self.offer(),
                Advance::Exhausted { moved } => {
                    if moved {
                        self.backtrack();
                    } else if self.level + 1 >= self.bound {
                        self.skip_end(control);
                        self.backtrack();
                    } else if control == Control::Free {
                        self.end_state()?;
                        self.backtrack();
                    } else {
                        self.lose_control();
                    }
                }
            }
        }
        Ok(())
    }

    /// Take the step in `next`.
    fn step(&mut self) -> Result<(), Completion> {
        if let Some(violation) = self.next.violation {
            self.report(violation, self.next.step, self.depth_of(violation))?;
        }
        for row in 0..self.next.further.len() {
            let violation = self.next.further[row];
            self.report(violation, self.next.step, self.depth_of(violation))?;
        }
        let levels = self.next.levels();
        if let Some(step) = self.next.step {
            self.reached[step.transition.0 as usize] = true;
            if let Some((_, transition)) = step.partner {
                if self.level + 1 >= self.bound {
                    // Its middle is too deep: counted with the offer.
                    return Ok(());
                }
                self.reached[transition.0 as usize] = true;
            }
        }
        if self.next.control != Control::Free {
            self.figures.atomic_steps += 1;
        }
        self.enter(self.level + levels);
        Ok(())
    }

    /// Enter the node in `next`, unless it is known or too deep.
    fn enter(&mut self, level: u64) {
        if level >= self.bound {
            self.truncate();
            return;
        }
        let Successor {
            ref state,
            control,
            step,
            ..
        } = self.next;
        if control == Control::Free {
            match self.store.insert(&state[self.hidden_len..]) {
                Insert::Known(_) => {
                    self.figures.matched += 1;
                    return;
                }
                Insert::New(id) => {
                    self.figures.stored += 1;
                    self.figures.longest_state = self.figures.longest_state.max(state.len());
                    if S::READABLE {
                        self.stack.push_stored(id, state, step);
                    } else {
                        self.stack.push_kept(state, step, control);
                    }
                }
            }
        } else {
            if self.config.depth.is_none() && self.stack.repeats(state, control) {
                self.figures.endless_atomics += 1;
                return;
            }
            self.stack.push_kept(state, step, control);
        }
        self.level = level;
        self.reach(level);
        std::mem::swap(&mut self.vector, &mut self.next.state);
    }

    /// Leave the top node for the one below.
    fn backtrack(&mut self) {
        if let Some(frame) = self.stack.pop() {
            // At the bottom there was no step, and the level is 0.
            self.level = self.level.saturating_sub(frame.levels());
            self.stack.read_top(self.store, &mut self.vector);
        }
    }

    /// Take the top, an exclusive node without a step, as a free one.
    fn lose_control(&mut self) {
        match self.store.insert(&self.vector[self.hidden_len..]) {
            Insert::Known(_) => {
                self.figures.matched += 1;
                self.backtrack();
            }
            Insert::New(id) => {
                self.figures.stored += 1;
                self.figures.longest_state = self.figures.longest_state.max(self.vector.len());
                self.stack.release_top(S::READABLE.then_some(id));
            }
        }
    }

    /// The top is a state without steps: is it a proper end?
    fn end_state(&mut self) -> Result<(), Completion> {
        if self.model.is_valid_end(&self.vector) {
            return Ok(());
        }
        let violation = ViolationKind::InvalidEndState.into();
        self.report(violation, None, self.level as i64 - 1)
    }

    /// The top has no steps and is next to the depth bound. Spin does not ask why; we must
    /// not call the search complete if there was something to find.
    fn skip_end(&mut self, control: Control) {
        if control != Control::Free || !self.model.is_valid_end(&self.vector) {
            self.truncated = true;
        }
    }

    /// A step was tried and failed.
    fn fault(&mut self) -> Result<(), Completion> {
        match self.next.violation {
            Some(violation) => self.report(violation, self.next.step, self.depth_of(violation)),
            None => Ok(()),
        }
    }

    /// A send is ready. The middle of the handshake counts once for all partners, and
    /// without a partner too.
    fn offer(&mut self) {
        if self.level + 1 >= self.bound {
            self.truncate();
        } else {
            self.reach(self.level + 1);
        }
    }

    fn truncate(&mut self) {
        self.figures.matched += 1;
        self.truncated = true;
    }

    fn reach(&mut self, level: u64) {
        self.figures.depth = self.figures.depth.max(level);
    }

    /// The depth at which Spin reports a violation of the step under way: the steps before
    /// it, except that an event trace is heard after the step.
    fn depth_of(&self, violation: Violation) -> i64 {
        let heard = i64::from(violation.kind == ViolationKind::EventTrace);
        self.level as i64 + heard
    }

    /// Count a violation, keep its trace if it is of a new sort, and end if it was the last
    /// one asked for. `step` is the failing step, if it was one.
    #[cold]
    fn report(
        &mut self,
        violation: Violation,
        step: Option<Step>,
        depth: i64,
    ) -> Result<(), Completion> {
        self.figures.errors += 1;
        let stack = &self.stack;
        let last = step.or_else(|| stack.last_step());
        self.findings.record(violation, last, depth, || {
            let mut trace = stack.trace();
            trace.steps.extend(step);
            trace
        });
        match self.config.max_errors {
            Some(max) if self.figures.errors >= max => Err(Completion::ErrorLimit),
            _ => Ok(()),
        }
    }

    /// Look at the limits and write down the progress.
    #[cold]
    fn poll(&mut self) -> Result<(), Completion> {
        let memory = self.memory_bytes();
        if let Some(progress) = self.config.progress {
            progress.update(&self.figures, memory);
        }
        // Relaxed: nothing else is read because the flag is set.
        if (self.config.stop).is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            Err(Completion::Interrupted)
        } else if (self.config.memory_limit).is_some_and(|limit| memory > limit) {
            Err(Completion::MemoryLimit)
        } else if (self.config.time_limit).is_some_and(|limit| self.start.elapsed() > limit) {
            Err(Completion::TimeLimit)
        } else {
            Ok(())
        }
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes() + self.stack.memory_bytes()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
