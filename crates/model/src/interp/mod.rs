//! The interpreter: the meaning of a [`Model`], as slow and obvious as it can be
//! while still being of use, and the oracle for everything faster.
//!
//! [`Interp`] implements [`NextState`]; [`Interp::advance`] gives the same steps one by one.
//! The files: `cursor` where an enumeration stands, `advance` what it came to, `eval`
//! expressions, `exec` statements, `channel` buffers and messages, `rendezvous` handshakes,
//! `process` birth, death and permission to move, `dstep` deterministic sequences, `leap`
//! stretches of atomic ones, `event_trace` traces of messages, `transfer` messages captured,
//! `observe` what claims see.

mod advance;
mod channel;
mod cursor;
mod dstep;
pub(crate) mod eval;
mod event_trace;
mod exec;
mod leap;
mod observe;
mod process;
mod rendezvous;
mod touched;
mod transfer;

pub use advance::{Advance, Successor};
pub use cursor::Cursor;
pub use leap::Straight;
pub use observe::Sight;
pub use touched::Touched;
pub use transfer::{Transfer, TransferKind};

use space::{
    Asleep, Control, Expansion, NextState, Pid, PidSet, Row, Step, TransitionId, Violation,
};

use crate::ids::{ChannelTypeId, ControlId, ExprId};
use crate::independence::Independence;
use crate::model::{Action, DStepOp, Model, Transition};

use cursor::Phase;
use touched::Receives;

/// What evaluating or executing can come to instead of a value.
pub(crate) type Fault = Violation;

/// A channel of the loaded vector.
#[derive(Clone, Copy, Debug)]
struct LoadedChannel {
    offset: u32,
    ty: ChannelTypeId,
}

/// A message on its way from a rendezvous sender to a receiver.
#[derive(Clone, Debug, Default)]
struct Offer {
    /// The channel's number; 0 when there is no offer.
    channel: u8,
    fields: Vec<i32>,
}

impl Offer {
    fn is_none(&self) -> bool {
        self.channel == 0
    }
}

/// Everything an expression can see.
#[derive(Clone, Copy)]
struct View<'a> {
    state: &'a [u8],
    pid: u8,
    frame: u32,
    /// The second pass over a state in which nobody could move.
    timeout: bool,
    /// The process has already moved at this node, so its `else` is closed.
    moved: bool,
    /// What `run` returned, while its statement is executed.
    run_result: i32,
    /// Nobody can move, and a claim goes on alone.
    ended: bool,
}

impl<'a> View<'a> {
    /// What can be seen outside a search: nobody has moved, and nobody waits for that.
    fn quiet(state: &'a [u8], pid: u8, frame: u32) -> View<'a> {
        View {
            state,
            pid,
            frame,
            timeout: false,
            moved: false,
            run_result: 0,
            ended: false,
        }
    }
}

/// The interpreter of a model.
pub struct Interp<'m> {
    model: &'m Model,
    /// Offsets of the frames of the loaded vector, by pid.
    frames: Vec<u32>,
    /// The channels of the loaded vector, by number minus one.
    channels: Vec<LoadedChannel>,
    /// Whether nobody starts processes, so that vectors of the same length have the same ones.
    is_known_by_length: bool,
    /// Then the length of the loaded vector; otherwise no length.
    loaded_len: usize,
    /// The handshake under way.
    offer: Offer,
    /// The state between the two halves of a handshake.
    halfway: Vec<u8>,
    /// A message being sent or received.
    message: Vec<i32>,
    /// The step that [`Interp::expand`] has found last.
    next: Successor,
    /// What a statement violated besides the first thing.
    further: Vec<Violation>,
    /// Whether any statement can wait for `timeout`.
    uses_timeout: bool,
    /// Whether any proctype claims channels.
    uses_claims: bool,
    /// Whether processes must ask before they move.
    guarded: bool,
    /// What `printf` printed, when somebody listens.
    output: Option<String>,
    /// The messages sent and seen, when they are captured.
    transfers: Option<Vec<Transfer>>,
    /// What processes have to do with each other.
    independence: Independence,
    /// What steps depend on, when it is recorded.
    touched: Option<Box<Touched>>,
    /// By proctype; empty when nothing is recorded.
    receives: Vec<Receives>,
}

impl<'m> Interp<'m> {
    /// An interpreter of the model.
    pub fn new(model: &'m Model) -> Interp<'m> {
        let channels = model
            .layout
            .channels
            .iter()
            .map(|slot| LoadedChannel {
                offset: slot.offset,
                ty: slot.ty,
            })
            .collect();
        Interp {
            model,
            frames: Vec::new(),
            channels,
            is_known_by_length: !starts_processes(model),
            loaded_len: usize::MAX,
            offer: Offer::default(),
            halfway: Vec::new(),
            message: Vec::new(),
            next: Successor::default(),
            further: Vec::new(),
            uses_timeout: model
                .exprs
                .iter()
                .any(|e| matches!(e, crate::expr::Expr::Timeout)),
            uses_claims: model.proctypes.iter().any(|p| !p.claims.is_empty()),
            guarded: model.layout.priorities
                || model.proctypes.iter().any(|p| p.provided.is_some()),
            output: None,
            transfers: None,
            independence: Independence::new(model),
            touched: None,
            receives: Vec::new(),
        }
    }

    /// The model it interprets.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Keep what `printf` and `printm` print; [`Interp::take_output`] gives it.
    pub fn capture_output(&mut self) {
        self.output = Some(String::new());
    }

    /// What was printed since the last call.
    pub fn take_output(&mut self) -> String {
        self.output.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Find the next step out of a node.
    ///
    /// Calls with the same node and the cursor left by the previous call enumerate all its
    /// steps. Calls for other nodes may come in between.
    pub fn advance(
        &mut self,
        state: &[u8],
        control: Control,
        cursor: &mut Cursor,
        next: &mut Successor,
    ) -> Advance {
        self.load(state);
        self.next_step(state, control, cursor, next)
    }

    /// Append the steps of one process in a free node to `found`, where
    /// [`Interp::load`] was called for the node. Returns whether it could move.
    pub fn expand_process(
        &mut self,
        state: &[u8],
        pid: Pid,
        timeout: bool,
        found: &mut Expansion,
    ) -> bool {
        let before = std::mem::take(&mut found.moved);
        let cursor = Cursor::at_process(pid.0, timeout);
        self.collect(state, Control::Exclusive(pid), cursor, found);
        let moved = found.moved;
        found.moved |= before;
        moved
    }

    /// Whether `provided` and the priorities let a process move, where [`Interp::load`] was
    /// called for a vector with the same processes.
    pub fn may_move_in(&self, state: &[u8], pid: u8, timeout: bool) -> Result<bool, Violation> {
        self.may_move(state, pid, &Cursor::at_process(pid, timeout))
    }

    /// The same in the middle of a handshake, for a process that may take the message in a
    /// channel.
    pub fn may_receive_in(
        &mut self,
        state: &[u8],
        pid: u8,
        timeout: bool,
        (channel, fields): (u8, &[i32]),
    ) -> Result<bool, Violation> {
        self.offer.channel = channel;
        self.offer.fields.clear();
        self.offer.fields.extend_from_slice(fields);
        let answer = self.may_move_in(state, pid, timeout);
        self.offer.channel = 0;
        answer
    }

    /// The value of an expression for a process, where [`Interp::load`] was called for a
    /// vector with the same processes.
    pub fn value(
        &self,
        state: &[u8],
        pid: u8,
        timeout: bool,
        moved: bool,
        expr: ExprId,
    ) -> Result<i32, Violation> {
        let view = View {
            timeout,
            moved,
            ..View::quiet(state, pid, self.frames[pid as usize])
        };
        self.eval(&view, expr)
    }

    /// Whether a claim forbids a process to use a channel, where [`Interp::load`] was called
    /// for a vector with the same processes.
    pub fn breaks_claim(&self, state: &[u8], pid: u8, channel: i32, receive: bool) -> bool {
        self.check_claims(state, pid, channel, receive).is_some()
    }

    /// Append all steps from the cursor on.
    fn collect(
        &mut self,
        state: &[u8],
        control: Control,
        mut cursor: Cursor,
        found: &mut Expansion,
    ) {
        let (frames, channels) = (self.frames.len(), self.channels.len());
        let mut next = std::mem::take(&mut self.next);
        loop {
            match self.next_step(state, control, &mut cursor, &mut next) {
                Advance::Step => found.push(Row::new(next.step, next.control, 0), &next.state),
                Advance::Fault => {
                    found.push_bare(Row::new(next.step, Control::Free, Row::FAULT));
                }
                Advance::Offer => {
                    found.push_bare(Row::new(None, Control::Free, Row::OFFER));
                }
                Advance::Exhausted { moved } => {
                    found.moved |= moved;
                    break;
                }
            }
            for violation in next.violation.into_iter().chain(next.further.drain(..)) {
                found.blame(violation);
            }
            // A process that was started belongs to the successor.
            self.frames.truncate(frames);
            self.channels.truncate(channels);
        }
        self.next = next;
    }

    fn next_step(
        &mut self,
        state: &[u8],
        control: Control,
        cursor: &mut Cursor,
        next: &mut Successor,
    ) -> Advance {
        next.violation = None;
        next.further.clear();
        next.step = None;
        self.further.clear();
        loop {
            match cursor.phase {
                Phase::Fresh => cursor.start_pass(control, self.frames.len()),
                Phase::Process => match self.may_move(state, cursor.pid, cursor) {
                    Err(fault) => {
                        next.violation = Some(fault);
                        cursor.next_process(control);
                        return Advance::Fault;
                    }
                    Ok(true) => cursor.enter_process(),
                    Ok(false) => cursor.next_process(control),
                },
                Phase::Options => match self.try_options(state, cursor, next) {
                    Some(advance) => return advance,
                    None => cursor.next_process(control),
                },
                Phase::Handshake => {
                    let found = self.try_receivers(state, cursor, next);
                    self.offer.channel = 0;
                    match found {
                        Some(advance) => return advance,
                        None => cursor.end_handshake(),
                    }
                }
                Phase::PassOver => {
                    let again = !cursor.any
                        && !cursor.timeout
                        && control == Control::Free
                        && self.uses_timeout;
                    if !again {
                        return Advance::Exhausted { moved: cursor.any };
                    }
                    cursor.timeout = true;
                    cursor.phase = Phase::Fresh;
                }
            }
        }
    }

    /// All steps of a node, in order, with faults. When an exclusive node has none, its
    /// process loses control and the steps are those of the free node.
    pub fn steps(&mut self, state: &[u8], control: Control) -> Vec<Successor> {
        let mut found = Vec::new();
        let mut cursor = Cursor::default();
        let mut next = Successor::default();
        loop {
            match self.advance(state, control, &mut cursor, &mut next) {
                Advance::Step => found.push(next.clone()),
                Advance::Fault => {
                    next.state.clear();
                    found.push(next.clone());
                }
                Advance::Offer => {}
                Advance::Exhausted { moved } => {
                    let lost = matches!(control, Control::Exclusive(_)) && !moved;
                    if lost && found.is_empty() {
                        return self.steps(state, Control::Free);
                    }
                    return found;
                }
            }
        }
    }

    /// Whether nobody can move. A statement that cannot even be tried, because its test
    /// fails with an error, counts as blocked.
    pub fn is_stuck(&mut self, state: &[u8]) -> bool {
        let mut cursor = Cursor::default();
        let mut next = Successor::default();
        loop {
            if let Advance::Exhausted { moved } =
                self.advance(state, Control::Free, &mut cursor, &mut next)
            {
                return !moved;
            }
        }
    }

    /// Find frames and channels of a vector. The other methods that take a state do so
    /// themselves, except those that say otherwise.
    pub fn load(&mut self, state: &[u8]) {
        if state.len() == self.loaded_len {
            return;
        }
        let model = self.model;
        self.frames.clear();
        self.channels.truncate(model.layout.channels.len());
        let mut at = model.layout.frames;
        while (at as usize) < state.len() {
            self.frames.push(at);
            let kind = model.layout.head(state, at).kind;
            let proctype = &model.proctypes[usize::from(kind)];
            for slot in &proctype.channels {
                self.channels.push(LoadedChannel {
                    offset: at + slot.offset,
                    ty: slot.ty,
                });
            }
            at += proctype.frame_size;
        }
        if self.is_known_by_length {
            self.loaded_len = state.len();
        }
    }

    #[inline]
    fn control_of(&self, state: &[u8], pid: u8) -> ControlId {
        let frame = self.frames[pid as usize];
        self.touch(frame as usize);
        self.model.layout.head(state, frame).control
    }

    #[inline]
    fn proctype_of(&self, state: &[u8], pid: u8) -> &'m crate::model::Proctype {
        let kind = self
            .model
            .layout
            .head(state, self.frames[pid as usize])
            .kind;
        &self.model.proctypes[usize::from(kind)]
    }

    /// Note in a vector that a process has executed a transition.
    #[inline]
    fn arrive(&self, state: &mut [u8], pid: u8, transition: &Transition) {
        let frame = self.frames[pid as usize];
        if transition.target != ControlId(0) {
            let layout = &self.model.layout;
            layout.set_head(state, frame, transition.proctype, transition.target);
        }
        for range in &transition.resets {
            let at = (frame + range.offset) as usize;
            state[at..at + range.length as usize].fill(0);
        }
        if let Some(last) = self.model.layout.last {
            self.touch(last as usize);
            state[last as usize] = pid;
        }
    }

    fn view<'a>(&self, state: &'a [u8], pid: u8, cursor: &Cursor) -> View<'a> {
        View {
            state,
            pid,
            frame: self.frames[pid as usize],
            timeout: cursor.timeout,
            moved: cursor.moved,
            run_result: 0,
            ended: false,
        }
    }

    /// Try the options of one process until one moves. `None`: there are no more.
    fn try_options(
        &mut self,
        state: &[u8],
        cursor: &mut Cursor,
        next: &mut Successor,
    ) -> Option<Advance> {
        let pid = cursor.pid;
        let control = self.control_of(state, pid);
        let proctype = self.proctype_of(state, pid);
        let options = &proctype.states[control.index()].options;
        while let Some(entry) = options.get(cursor.index as usize) {
            if cursor.escape != ControlId(0) && cursor.escape != entry.escape {
                break;
            }
            cursor.index += 1;
            let id = entry.transition;
            let transition = self.model.transition(id);
            let view = self.view(state, pid, cursor);
            let ready = match self.executable(&view, &transition.action) {
                Ok(ready) => ready,
                // A statement that cannot even be tried blocks. It was reported in the
                // first pass.
                Err(_) if cursor.timeout => false,
                Err(fault) => return Some(report_fault(next, pid, id, fault)),
            };
            if !ready {
                continue;
            }
            if let Action::Send { channel, args, .. } = &transition.action {
                match self.make_offer(&view, *channel, args) {
                    Err(fault) => {
                        cursor.any = true;
                        return Some(report_fault(next, pid, id, fault));
                    }
                    Ok(false) => {}
                    Ok(true) => {
                        cursor.escape = entry.escape;
                        cursor.start_handshake(self.frames.len());
                        self.offer.channel = 0;
                        return Some(Advance::Offer);
                    }
                }
            }
            next.state.clear();
            next.state.extend_from_slice(state);
            let outcome = self.execute(&mut next.state, &view, &transition.action);
            match outcome {
                // The process moved, if only to its ruin: this is not a deadlock.
                Err(fault) => {
                    cursor.any = true;
                    return Some(report_fault(next, pid, id, fault));
                }
                Ok(None) => continue,
                Ok(Some(violation)) => next.violation = violation.0,
            }
            next.further.append(&mut self.further);
            if self.is_nondeterministic(proctype.deterministic, cursor.moved, &transition.action) {
                next.note(space::ErrorKind::Nondeterminism.into());
            }
            cursor.moved = true;
            cursor.any = true;
            cursor.escape = entry.escape;
            if transition.action != Action::End {
                self.arrive(&mut next.state, pid, transition);
            } else if let Some(last) = self.model.layout.last {
                self.touch(last as usize);
                next.state[last as usize] = pid;
            }
            next.control = after(transition, pid);
            next.step = Some(Step {
                pid: Pid(pid),
                transition: id,
                partner: None,
            });
            return Some(Advance::Step);
        }
        None
    }

    fn event_trace_may_end(&self, state: &[u8]) -> bool {
        match self.event_state(state) {
            Some((trace, control)) => {
                self.model.proctype(trace.proctype).states[control.index()].end
            }
            None => true,
        }
    }

    /// Whether this step is the second way out of a state of a `D_proctype`.
    fn is_nondeterministic(&self, deterministic: bool, moved: bool, action: &Action) -> bool {
        deterministic && moved && !matches!(action, Action::Skip | Action::Else | Action::DStep(_))
    }
}

/// Who may move after a transition.
fn after(transition: &Transition, pid: u8) -> Control {
    if transition.atomic {
        Control::Exclusive(Pid(pid))
    } else {
        Control::Free
    }
}

fn report_fault(next: &mut Successor, pid: u8, transition: TransitionId, fault: Fault) -> Advance {
    next.violation = Some(fault);
    next.step = Some(Step {
        pid: Pid(pid),
        transition,
        partner: None,
    });
    Advance::Fault
}

/// Whether a statement starts a process.
fn starts_processes(model: &Model) -> bool {
    let is_run = |action: &Action| matches!(action, Action::Run(..));
    let in_dstep = |op: &DStepOp| matches!(op, DStepOp::Do { action, .. } if is_run(action));
    model.transitions.iter().any(|t| is_run(&t.action))
        || model.dsteps.iter().flat_map(|d| &d.ops).any(in_dstep)
}

impl NextState for Interp<'_> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.initial_state()
    }

    fn hidden_len(&self) -> usize {
        self.model.layout.hidden as usize
    }

    fn transition_count(&self) -> usize {
        self.model.transitions.len()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        found.moved = false;
        self.load(state);
        self.collect(state, control, Cursor::default(), found);
    }

    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        let chained = match found.rows[row].control() {
            Control::Exclusive(pid) => self.chain_from(row, pid.0, found),
            Control::Free => false,
        };
        if !chained {
            self.extend_row(row, found);
        }
    }

    fn leap(&mut self, row: usize, most: u64, found: &mut Expansion) {
        let leapt = match found.rows[row].control() {
            Control::Exclusive(pid) => self.leap_from(row, pid.0, most, found),
            Control::Free => false,
        };
        if !leapt {
            self.extend_row(row, found);
        }
    }

    #[inline]
    fn independent(&mut self, row: &Row, after: &[u8]) -> PidSet {
        self.independence.of_step(self.model, row, after)
    }

    fn extend_awake(&mut self, state: &[u8], asleep: Asleep, found: &mut Expansion) {
        if asleep.pids.is_empty() {
            return self.extend(state, Control::Free, found);
        }
        found.moved = asleep.can_move;
        self.load(state);
        for timeout in [false, true] {
            for pid in (0..self.frames.len() as u8).rev().map(Pid) {
                if !asleep.pids.has(pid) {
                    self.expand_process(state, pid, timeout, found);
                }
            }
            if found.moved || !self.uses_timeout {
                break;
            }
        }
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.load(state);
        let ended = (0..self.frames.len() as u8).all(|pid| {
            let control = self.control_of(state, pid);
            self.proctype_of(state, pid).states[control.index()].end
        });
        // Once all processes are gone nobody asks the trace any more, as in Spin.
        ended && (self.frames.is_empty() || self.event_trace_may_end(state))
    }
}
