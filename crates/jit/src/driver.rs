//! Asks the processes of a node for their steps, one after the other.
//!
//! Compiled code writes successors behind the rows and bytes of an [`Expansion`]; the
//! driver sees to it that there is room, and turns to the interpreter for a process
//! whose code gave up.
#![allow(unsafe_code)]

use model::{Interp, Model, StateLayout};
use space::{Control, Expansion, Pid, Row};

use crate::compile::{Code, Unavailable, compile};
use crate::context::{BAIL, Channel, Context};

/// Vectors are copied in pieces, so there are always so many bytes behind one.
pub(crate) const SLACK: usize = 64;

/// What the driver has to know about a proctype.
struct Kind {
    frame_size: u32,
    channels: Vec<Channel>,
    /// Rows that one call of its functions can write.
    most_rows: usize,
}

/// Executes the compiled code of a model.
pub(crate) struct Driver<'m> {
    model: &'m Model,
    code: Code,
    kinds: Vec<Kind>,
    interp: Interp<'m>,
    /// Whether the interpreter has loaded the node.
    interp_ready: bool,
    /// Whether processes must ask before they move.
    guarded: bool,
    uses_timeout: bool,
    /// The node, with [`SLACK`] bytes behind it.
    state: Vec<u8>,
    halfway: Vec<u8>,
    /// Offsets of the frames of the node, and their proctypes, by pid.
    frames: Vec<(u32, u8)>,
    /// The channels of the node, by number minus one.
    channels: Vec<Channel>,
    global_channels: usize,
    /// Bytes that a step can add to a vector.
    growth: usize,
    most_rows: usize,
    /// Where the steps of the node go, while it is expanded.
    found: *mut Expansion,
    context: Box<Context>,
}

impl<'m> Driver<'m> {
    pub(crate) fn new(model: &'m Model) -> Result<Driver<'m>, Unavailable> {
        let code = compile(model)?;
        let slots = |slots: &[model::layout::ChannelSlot]| -> Vec<Channel> {
            let channel = |slot: &model::layout::ChannelSlot| Channel {
                offset: slot.offset,
                ty: slot.ty.0,
            };
            slots.iter().map(channel).collect()
        };
        let kinds: Vec<Kind> = model
            .proctypes
            .iter()
            .map(|proctype| Kind {
                frame_size: proctype.frame_size,
                channels: slots(&proctype.channels),
                most_rows: 2 * proctype
                    .states
                    .iter()
                    .map(|s| s.options.len())
                    .max()
                    .unwrap_or(0),
            })
            .collect();
        let channels = slots(&model.layout.channels);
        Ok(Driver {
            code,
            interp: Interp::new(model),
            interp_ready: false,
            guarded: model.layout.priorities
                || model.proctypes.iter().any(|p| p.provided.is_some()),
            uses_timeout: (model.exprs.iter()).any(|e| matches!(e, model::Expr::Timeout)),
            state: Vec::new(),
            halfway: Vec::new(),
            frames: Vec::new(),
            global_channels: channels.len(),
            channels,
            growth: kinds
                .iter()
                .map(|k| k.frame_size as usize)
                .max()
                .unwrap_or(0),
            most_rows: kinds.iter().map(|k| k.most_rows).max().unwrap_or(0),
            kinds,
            found: std::ptr::null_mut(),
            context: Box::new(Context::new()),
            model,
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

    /// Find all steps out of a node.
    pub(crate) fn expand(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        found.clear();
        self.load(state);
        self.found = found;
        let context = std::ptr::from_mut(&mut *self.context);
        let driver = std::ptr::from_mut(self);
        // SAFETY: `driver` and `context` live until the end of this function and are used
        // through these pointers only.
        unsafe {
            (*context).state = (*driver).state.as_ptr();
            (*context).channels = (*driver).channels.as_ptr();
            (*context).halfway = (*driver).halfway.as_mut_ptr();
            (*context).driver = driver.cast();
            (*context).len = state.len() as u32;
            (*context).process_count = (*driver).frames.len() as u32;
            (*context).channel_count = (*driver).channels.len() as u32;
            (*context).timeout = 0;
            (*driver).point_at_output(context);
            let mut moved = Driver::pass(driver, context, control);
            if !moved && control == Control::Free && (*driver).uses_timeout {
                (*context).timeout = 1;
                moved = Driver::pass(driver, context, control);
            }
            (*driver).note_output(context);
            (*(*driver).found).moved = moved;
        }
    }

    /// Ask all processes that may move, from the highest pid down.
    ///
    /// # Safety
    ///
    /// Both pointers are those of [`Driver::expand`].
    unsafe fn pass(driver: *mut Self, context: *mut Context, control: Control) -> bool {
        // SAFETY: as the caller promises.
        unsafe {
            match control {
                Control::Exclusive(pid) => Driver::process(driver, context, pid.0),
                Control::Free => {
                    let mut moved = false;
                    for pid in (0..(*context).process_count).rev() {
                        moved |= Driver::process(driver, context, pid as u8);
                    }
                    moved
                }
            }
        }
    }

    /// Ask one process. Returns whether it could move.
    ///
    /// # Safety
    ///
    /// As for [`Driver::pass`].
    unsafe fn process(driver: *mut Self, context: *mut Context, pid: u8) -> bool {
        // SAFETY: as the caller promises; the references end before compiled code is
        // called, and the functions of the code get the context they were compiled for.
        unsafe {
            if (*driver).guarded {
                match (*driver).may_move(&*context, pid) {
                    Ok(true) => {}
                    Ok(false) => return false,
                    Err(()) => return (*driver).interpret(context, pid),
                }
            }
            let (offset, kind) = (&(*driver).frames)[pid as usize];
            let (steps, rows) = {
                let driver = &*driver;
                let kind = kind as usize;
                (
                    driver.code.functions[kind].steps,
                    driver.kinds[kind].most_rows,
                )
            };
            (*driver).make_room(context, rows);
            let (at, row) = ((*context).out_at, (*context).rows);
            let written = row.offset_from((&mut (*(*driver).found)).rows.as_mut_ptr());
            let status = steps(context, u64::from(offset), u32::from(pid));
            if status != BAIL {
                return status != 0;
            }
            (*context).out_at = at;
            // The rows may lie elsewhere by now.
            (*context).rows = (&mut (*(*driver).found)).rows.as_mut_ptr().offset(written);
            (*driver).interpret(context, pid)
        }
    }

    /// Let a process see the offer in `context`; returns what its code returns.
    pub(crate) fn offer_to(&mut self, context: *mut Context, pid: u32) -> i32 {
        // SAFETY: `context` is the one of `expand`, which called the code that called this.
        unsafe {
            if self.guarded {
                let len = (*context).len as usize;
                self.interp_load();
                let (timeout, halfway) = ((*context).timeout != 0, &self.halfway[..len]);
                match self.interp.may_move_in(halfway, pid as u8, timeout) {
                    Ok(true) => {}
                    Ok(false) => return 0,
                    Err(_) => return BAIL,
                }
            }
            let (offset, kind) = self.frames[pid as usize];
            let rows = self.kinds[kind as usize].most_rows;
            // What the sender may still write has to fit behind it.
            self.make_room(context, rows + self.most_rows);
            let receives = self.code.functions[kind as usize].receives;
            receives(context, u64::from(offset), pid)
        }
    }

    fn may_move(&mut self, context: &Context, pid: u8) -> Result<bool, ()> {
        self.interp_load();
        let state = &self.state[..context.len as usize];
        let answer = self.interp.may_move_in(state, pid, context.timeout != 0);
        answer.map_err(|_| ())
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
            let len = self.state.len() - SLACK;
            self.interp.load(&self.state[..len]);
            self.interp_ready = true;
        }
    }

    /// Copy the node and find its frames and channels.
    fn load(&mut self, state: &[u8]) {
        self.interp_ready = false;
        self.state.clear();
        self.state.extend_from_slice(state);
        self.state.extend_from_slice(&[0; SLACK]);
        if self.halfway.len() < self.state.len() {
            self.halfway.resize(self.state.len() + self.growth, 0);
        }
        self.frames.clear();
        self.channels.truncate(self.global_channels);
        let mut at = self.model.layout.frames;
        while (at as usize) < state.len() {
            let proctype = state[(at + StateLayout::PROCTYPE) as usize];
            self.frames.push((at, proctype));
            let kind = &self.kinds[proctype as usize];
            for channel in &kind.channels {
                self.channels.push(Channel {
                    offset: at + channel.offset,
                    ..*channel
                });
            }
            at += kind.frame_size;
        }
    }

    /// See to it that so many rows with their vectors can be written.
    ///
    /// # Safety
    ///
    /// `context` is the one of [`Driver::expand`].
    unsafe fn make_room(&mut self, context: *mut Context, rows: usize) {
        // SAFETY: as the caller promises; `found` lives as long as the context.
        unsafe {
            let found = &mut *self.found;
            let vector = (*context).len as usize + self.growth + SLACK;
            let bytes = (rows + 1) * vector + SLACK;
            let used = (*context).rows.offset_from(found.rows.as_ptr()) as usize;
            if found.rows.capacity() - used < rows
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
    unsafe fn note_output(&mut self, context: *mut Context) {
        // SAFETY: compiled code wrote all rows and bytes up to these marks, and
        // `make_room` saw to it that they lie within the capacity.
        unsafe {
            let found = &mut *self.found;
            let rows = (*context).rows.offset_from(found.rows.as_ptr()) as usize;
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
    unsafe fn point_at_output(&mut self, context: *mut Context) {
        // SAFETY: as the caller promises; the ends of both buffers are within them.
        unsafe {
            let found = &mut *self.found;
            let end: *mut Row = found.rows.as_mut_ptr().add(found.rows.len());
            (*context).rows = end;
            (*context).out = found.bytes.as_mut_ptr();
            (*context).out_at = found.bytes.len() as u64;
        }
    }
}
