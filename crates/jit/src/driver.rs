//! Asks the processes of a node for their steps, one after the other.
//!
//! Compiled code writes successors behind the rows and bytes of an [`Expansion`]; the
//! driver sees to it that there is room, and the interpreter stands in for a process whose
//! code gave up.
#![allow(unsafe_code)]

use model::{Interp, Model};
use space::{Asleep, Control, Expansion, Pid, PidSet, Row};

use crate::compile::{Code, Unavailable};
use crate::context::{BAIL, Context, ExpandFn, ProcessFn};
use crate::facts::Facts;
use crate::listen::{Ears, bit};
use crate::process::Role;
use crate::shape::Shapes;
use crate::size::Sizes;

/// Vectors are copied in pieces, so there are always so many bytes behind one.
pub(crate) const SLACK: usize = 64;

/// There is room for so many steps of an atomic sequence before it begins.
const CHAIN_ROWS: usize = 32;
/// A chain is not longer than this.
const MOST_CHAINED: usize = 1 << 10;

/// The bytes that so many rows with vectors of a length can take, each of which a step may
/// have made longer.
pub(crate) fn room(rows: usize, len: usize, growth: usize) -> usize {
    (rows + 1) * (len + growth + SLACK) + SLACK
}

/// Copy a vector over one of the same length: one of the usual lengths without a call, from both
/// ends, in pieces that may overlap. A loop would be made a call again.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    match from.len() {
        16..=32 => copy_ends::<16>(to, from),
        33..=64 => copy_ends::<32>(to, from),
        65..=128 => copy_ends::<64>(to, from),
        _ => to.copy_from_slice(from),
    }
}

#[inline(always)]
fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk()) {
        *to = *from;
    }
    if let (Some(to), Some(from)) = (to.last_chunk_mut::<N>(), from.last_chunk()) {
        *to = *from;
    }
}

/// Executes the compiled code of a model.
pub(crate) struct Driver<'m> {
    model: &'m Model,
    shapes: Shapes,
    ears: Ears,
    interp: Interp<'m>,
    /// Whether the interpreter has loaded the node.
    interp_ready: bool,
    /// Whether processes must ask before they move.
    guarded: bool,
    uses_timeout: bool,
    /// The node, with at least [`SLACK`] bytes behind it.
    state: Vec<u8>,
    halfway: Vec<u8>,
    /// Bytes that a step can add to a vector.
    growth: usize,
    /// Where the steps of the node go, while it is expanded.
    found: *mut Expansion,
    context: Box<Context>,
    /// Makes the steps of a node.
    expander: ExpandFn,
    /// By proctype, what it does with an offer; empty if nobody makes one.
    receives: Vec<ProcessFn>,
    /// By proctype, if they were asked for; empty if they cannot be compiled.
    chains: Option<Vec<ProcessFn>>,
    leaps: Option<Vec<ProcessFn>>,
    facts: Facts,
    /// Keeps all functions alive.
    code: Code,
}

impl<'m> Driver<'m> {
    pub(crate) fn new(model: &'m Model) -> Result<Driver<'m>, Unavailable> {
        let sizes = Sizes::new(model);
        if sizes.are_too_large() {
            return Err(Unavailable::too_large());
        }
        let mut code = Code::new()?;
        let facts = Facts::new(model);
        let expander = code.compile_expander(model, &facts, &sizes)?;
        let receives = match model.has_handshakes() {
            true => code.compile(model, &facts, Role::Receiver)?,
            false => Vec::new(),
        };
        let shapes = Shapes::new(model);
        Ok(Driver {
            interp: Interp::new(model),
            interp_ready: false,
            guarded: model.layout.priorities
                || model.proctypes.iter().any(|p| p.provided.is_some()),
            uses_timeout: (model.exprs.iter()).any(|e| matches!(e, model::Expr::Timeout)),
            state: vec![0; SLACK],
            halfway: vec![0; SLACK],
            growth: shapes.growth(),
            shapes,
            ears: Ears::new(model),
            found: std::ptr::null_mut(),
            context: Box::new(Context::new()),
            model,
            expander,
            receives,
            chains: None,
            leaps: None,
            facts,
            code,
        })
    }

    pub(crate) fn hidden_len(&self) -> usize {
        self.model.layout.hidden as usize
    }

    pub(crate) fn transition_count(&self) -> usize {
        self.model.transitions.len()
    }

    pub(crate) fn interp(&mut self) -> &mut Interp<'m> {
        &mut self.interp
    }

    /// Append all steps out of a node to `found`.
    #[inline]
    pub(crate) fn expand(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        self.load(state);
        self.expand_loaded(control, Asleep::default(), found);
    }

    /// Append all steps out of a free node to `found` but those of processes that sleep.
    #[inline]
    pub(crate) fn expand_awake(&mut self, state: &[u8], asleep: Asleep, found: &mut Expansion) {
        self.load(state);
        self.expand_loaded(Control::Free, asleep, found);
    }

    /// Append all steps out of the successor of a row to `found`.
    #[inline]
    pub(crate) fn expand_row(&mut self, row: usize, found: &mut Expansion) {
        let row = found.rows[row];
        self.load(found.vector(&row));
        self.expand_loaded(row.control(), Asleep::default(), found);
    }

    /// Append steps that follow each other, from the successor of a row on, which is inside
    /// an atomic sequence. Whether there is any; otherwise ask [`Driver::expand_row`].
    #[inline]
    pub(crate) fn chain(&mut self, row: usize, found: &mut Expansion) -> bool {
        if self.chains.is_none() {
            self.chains = Some(self.compile_stretches(Role::Chain));
        }
        // Whoever follows an endless sequence has to notice.
        self.run_on(row, found, CHAIN_ROWS, MOST_CHAINED, |driver| {
            &driver.chains
        })
    }

    /// The same, with one row for all of them, which are not more than `most`.
    #[inline]
    pub(crate) fn leap(&mut self, row: usize, most: u64, found: &mut Expansion) -> bool {
        if self.leaps.is_none() {
            self.leaps = Some(self.compile_stretches(Role::Leap));
        }
        found
            .passed
            .transitions
            .resize(self.model.transitions.len(), false);
        // No further than a chain: both find what follows in the same order.
        self.context.most_steps = most.min(MOST_CHAINED as u64);
        self.context.passed = found.passed.transitions.as_mut_ptr();
        let moved = self.run_on(row, found, 1, 1, |driver| &driver.leaps);
        if moved {
            found.passed.steps += self.context.steps - 1;
        }
        moved
    }

    /// Few searches need them, and those that do need one kind.
    #[cold]
    fn compile_stretches(&mut self, role: Role) -> Vec<ProcessFn> {
        let compiled = self.code.compile(self.model, &self.facts, role);
        compiled.unwrap_or_default()
    }

    /// Call a function of the process that has control behind a row, which may write rows, up
    /// to `most`; there is room for `rows`. Whether it wrote any.
    #[inline(always)]
    fn run_on(
        &mut self,
        row: usize,
        found: &mut Expansion,
        rows: usize,
        most: usize,
        functions: impl Fn(&Self) -> &Option<Vec<ProcessFn>>,
    ) -> bool {
        if self.guarded {
            return false;
        }
        let row = found.rows[row];
        self.enter(found.vector(&row));
        let process = self.shapes.current().processes[row.owner as usize];
        let compiled = functions(self).as_ref();
        let Some(&function) = compiled.and_then(|all| all.get(usize::from(process.kind))) else {
            return false;
        };
        let context = std::ptr::from_mut(&mut *self.context);
        self.found = found;
        // SAFETY: the context lives, and nothing else is borrowed; the vector of the row
        // stays where it is once there is room, since these functions ask for none.
        unsafe {
            self.point_at_output(context);
            self.make_room(context, rows);
            (*context).state = (*context).out.add(row.start as usize);
            let found = &*self.found;
            let rows = (found.rows.capacity() - found.rows.len()).min(most);
            (*context).rows_end = (*context).rows.wrapping_add(rows);
            (*context).out_end = found.bytes.capacity() as u64;
            let before = (*context).rows_written();
            function(context, u64::from(process.offset), u32::from(row.owner));
            let moved = (*context).rows_written() > before;
            (*context).state = self.state.as_ptr();
            self.note_output(context);
            (*self.found).moved = moved;
            moved
        }
    }

    #[inline(always)]
    fn expand_loaded(&mut self, control: Control, asleep: Asleep, found: &mut Expansion) {
        let shape = self.shapes.current();
        found.rows.reserve(shape.most_rows);
        found.bytes.reserve(shape.most_bytes);
        self.found = found;
        let context = std::ptr::from_mut(&mut *self.context);
        let driver = std::ptr::from_mut(self);
        // SAFETY: `driver` and `context` live until the end of this function and are used
        // through these pointers only.
        unsafe {
            (*context).driver = driver.cast();
            (*driver).point_at_output(context);
            let mut moved = Driver::pass(driver, context, control, asleep.pids) | asleep.can_move;
            if !moved && control == Control::Free && (*driver).uses_timeout {
                (*driver).make_room(context, (*driver).shapes.current().most_rows);
                (*context).timeout = 1;
                moved = Driver::pass(driver, context, control, asleep.pids);
                (*context).timeout = 0;
            }
            (*driver).note_output(context);
            (*(*driver).found).moved = moved;
        }
    }

    /// Ask all processes that may move and do not sleep, from the highest pid down. Returns
    /// whether one could.
    ///
    /// # Safety
    ///
    /// Both pointers are those of [`Driver::expand`].
    #[inline(always)]
    unsafe fn pass(
        driver: *mut Self,
        context: *mut Context,
        control: Control,
        asleep: PidSet,
    ) -> bool {
        // SAFETY: as the caller promises. No reference lives while compiled code runs, which
        // gets the context that it was compiled for.
        unsafe {
            let shape = (*driver).shapes.current();
            let (count, awake) = (shape.processes.len(), shape.pids.0 & !asleep.0);
            match control {
                Control::Exclusive(pid) => Driver::ask(driver, context, 1, u32::from(pid.0)),
                Control::Free if count <= 64 => Driver::ask(driver, context, awake, 0),
                Control::Free => {
                    let mut moved = false;
                    for base in (64..count).step_by(64).rev() {
                        let pids = u64::MAX >> (64 - (count - base).min(64));
                        moved |= Driver::ask(driver, context, pids, base as u32);
                    }
                    moved | Driver::ask(driver, context, awake, 0)
                }
            }
        }
    }

    /// Ask some processes, bits from a pid on. Returns whether one could move.
    ///
    /// # Safety
    ///
    /// As for [`Driver::pass`].
    #[inline(always)]
    unsafe fn ask(driver: *mut Self, context: *mut Context, pids: u64, base: u32) -> bool {
        // SAFETY: as the caller promises.
        unsafe {
            match (*driver).guarded {
                false => ((*driver).expander)(context, pids, base) != 0,
                true => Driver::ask_guarded(driver, context, pids, base),
            }
        }
    }

    /// The same where processes must be allowed to move, one after the other.
    ///
    /// # Safety
    ///
    /// As for [`Driver::pass`].
    #[cold]
    unsafe fn ask_guarded(
        driver: *mut Self,
        context: *mut Context,
        mut pids: u64,
        base: u32,
    ) -> bool {
        let mut moved = false;
        while pids != 0 {
            let bit = pids.ilog2();
            pids ^= 1 << bit;
            let pid = base + bit;
            // SAFETY: as the caller promises.
            moved |= unsafe {
                match (*driver).may_move(&*context, pid as u8) {
                    Ok(true) => ((*driver).expander)(context, 1, pid) != 0,
                    Ok(false) => false,
                    Err(()) => (*driver).interpret(context, pid as u8),
                }
            };
        }
        moved
    }

    /// Let everybody who listens see the offer in `context`. Returns whether one took it, or
    /// [`BAIL`].
    pub(crate) fn handshake(&mut self, context: *mut Context) -> i32 {
        // SAFETY: `context` is the one of `expand`, which called the code that called this.
        let (len, sender, channel) = unsafe {
            let context = &*context;
            (context.len as usize, context.sender, context.offer_channel)
        };
        let channel = bit(channel as u8);
        let mut taken = 0;
        let count = {
            let shape = self.shapes.current();
            self.ears.listeners(shape, &self.state[..len]).len()
        };
        for row in 0..count {
            let shape = self.shapes.current();
            let (channels, pid) = self.ears.listeners(shape, &self.state[..len])[row];
            if channels & channel != 0 && u32::from(pid) != sender {
                let status = self.offer_to(context, u32::from(pid));
                if status == BAIL {
                    return BAIL;
                }
                taken |= status;
            }
        }
        taken
    }

    /// Let a process see the offer in `context`; returns what its code returns.
    fn offer_to(&mut self, context: *mut Context, pid: u32) -> i32 {
        // SAFETY: `context` is the one of `expand`, which called the code that called this.
        unsafe {
            if self.guarded {
                let len = (*context).len as usize;
                self.interp_load();
                let (timeout, halfway) = ((*context).timeout != 0, &self.halfway[..len]);
                let fields = &(&(*context).offer)[..(*context).offer_count as usize];
                let offer = ((*context).offer_channel as u8, fields);
                let answer = (self.interp).may_receive_in(halfway, pid as u8, timeout, offer);
                match answer {
                    Ok(true) => {}
                    Ok(false) => return 0,
                    Err(_) => return BAIL,
                }
            }
            let shape = self.shapes.current();
            let process = shape.processes[pid as usize];
            // What the processes may still write has to fit behind what this one writes.
            let rows = 2 * shape.most_rows;
            self.make_room(context, rows);
            match self.receives.get(usize::from(process.kind)) {
                Some(receives) => receives(context, u64::from(process.offset), pid),
                None => 0,
            }
        }
    }

    fn may_move(&mut self, context: &Context, pid: u8) -> Result<bool, ()> {
        self.interp_load();
        let state = &self.state[..context.len as usize];
        let answer = self.interp.may_move_in(state, pid, context.timeout != 0);
        answer.map_err(|_| ())
    }

    /// Let the interpreter find the steps of a process whose code has given up: what it has
    /// written is forgotten. Returns whether it can move.
    ///
    /// # Safety
    ///
    /// As for [`Driver::pass`].
    pub(crate) unsafe fn interpret_instead(&mut self, context: *mut Context, pid: u8) -> bool {
        // SAFETY: as the caller promises.
        unsafe {
            (*context).rows = (*context).first_row;
            (*context).out_at = (*context).first_out;
            self.interpret(context, pid)
        }
    }

    /// Let the interpreter find the steps of a process.
    ///
    /// # Safety
    ///
    /// As for [`Driver::pass`].
    #[cold]
    unsafe fn interpret(&mut self, context: *mut Context, pid: u8) -> bool {
        self.interp_load();
        // SAFETY: as the caller promises.
        unsafe {
            self.note_output(context);
            let state = &self.state[..(*context).len as usize];
            let timeout = (*context).timeout != 0;
            let found = &mut *self.found;
            let moved = self.interp.expand_process(state, Pid(pid), timeout, found);
            self.point_at_output(context);
            // The processes that follow write without asking.
            self.make_room(context, self.shapes.current().most_rows);
            moved
        }
    }

    /// The interpreter, with the node loaded.
    pub(crate) fn loaded_interp(&mut self, _context: &Context) -> &Interp<'m> {
        self.interp_load();
        &self.interp
    }

    fn interp_load(&mut self) {
        if !self.interp_ready {
            let len = self.context.len as usize;
            self.interp.load(&self.state[..len]);
            self.interp_ready = true;
        }
    }

    /// Copy the node and find its frames and channels.
    #[inline(always)]
    fn load(&mut self, state: &[u8]) {
        self.interp_ready = false;
        self.ears.forget();
        self.enter(state);
        copy(&mut self.state[..state.len()], state);
    }

    /// Let the context tell of vectors such as this one.
    #[inline(always)]
    fn enter(&mut self, state: &[u8]) {
        if !self.shapes.is_current(state) {
            self.change_shape(state);
        }
    }

    #[cold]
    fn change_shape(&mut self, state: &[u8]) {
        if self.state.len() < state.len() + SLACK {
            self.state.resize(state.len() + self.growth + SLACK, 0);
            self.halfway.resize(self.state.len(), 0);
        }
        let shape = self.shapes.switch(state);
        let context = &mut *self.context;
        context.state = self.state.as_ptr();
        context.halfway = self.halfway.as_mut_ptr();
        context.frames = shape.frames.as_ptr();
        context.channels = shape.channels.as_ptr();
        context.len = state.len() as u32;
        context.process_count = shape.processes.len() as u32;
        context.channel_count = shape.channels.len() as u32;
    }

    /// See to it that so many rows with their vectors can be written.
    ///
    /// # Safety
    ///
    /// `context` is the one of [`Driver::expand`].
    #[inline]
    unsafe fn make_room(&mut self, context: *mut Context, rows: usize) {
        // SAFETY: as the caller promises; `found` lives as long as the context.
        unsafe {
            let found = &mut *self.found;
            let bytes = room(rows, (*context).len as usize, self.growth);
            let used = (*context).rows_written();
            if found.rows.capacity() * size_of::<Row>() < used + rows * size_of::<Row>()
                || found.bytes.capacity() - ((*context).out_at as usize) < bytes
            {
                self.note_output(context);
                let found = &mut *self.found;
                found.rows.reserve(rows);
                found.bytes.reserve(bytes);
                self.point_at_output(context);
            }
        }
    }

    /// Take over what compiled code has written.
    ///
    /// # Safety
    ///
    /// As for [`Driver::make_room`].
    #[inline]
    unsafe fn note_output(&mut self, context: *mut Context) {
        // SAFETY: compiled code wrote all rows and bytes up to these marks, and
        // `make_room` saw to it that they lie within the capacity.
        unsafe {
            let found = &mut *self.found;
            let rows = (*context).rows_written() / size_of::<Row>();
            debug_assert!(rows <= found.rows.capacity());
            found.rows.set_len(rows);
            let bytes = (*context).out_at as usize;
            debug_assert!(bytes <= found.bytes.capacity());
            found.bytes.set_len(bytes);
        }
    }

    /// Let compiled code write behind what is there.
    ///
    /// # Safety
    ///
    /// As for [`Driver::make_room`].
    #[inline]
    unsafe fn point_at_output(&mut self, context: *mut Context) {
        // SAFETY: as the caller promises; the ends of both buffers are within them.
        unsafe {
            let found = &mut *self.found;
            let end: *mut Row = found.rows.as_mut_ptr().add(found.rows.len());
            let start = (*context).rows_start as usize;
            let begun = ((*context).first_row as usize).wrapping_sub(start);
            (*context).rows_start = found.rows.as_mut_ptr();
            (*context).first_row = (*context).rows_start.wrapping_byte_add(begun);
            (*context).rows = end;
            (*context).out = found.bytes.as_mut_ptr();
            (*context).out_at = found.bytes.len() as u64;
        }
    }
}
