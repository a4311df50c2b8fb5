//! Processes: birth, death, and permission to move.

use space::ErrorKind;

use super::{Cursor, Fault, Interp, LoadedChannel, View};
use crate::expr::RunSpec;
use crate::ids::ProctypeId;
use crate::model::Initialiser;

/// The largest number of processes, and of channels.
const MOST: usize = 255;

impl Interp<'_> {
    /// The state before anybody has moved.
    pub(super) fn initial_state(&mut self) -> Result<Vec<u8>, Fault> {
        let model = self.model;
        let mut state = vec![0; model.layout.frames as usize];
        self.load(&state);
        let mut channels = 0;
        self.initialise(&mut state, 0, 0, &mut channels, &model.global_inits)?;
        if let Some(trace) = &model.event_trace {
            self.set_event_state(&mut state, model.proctype(trace.proctype).initial);
        }
        for start in &model.starts {
            self.push_frame(&mut state, start.proctype, start.priority, &[])?;
        }
        Ok(state)
    }

    /// Execute `run`: evaluate the arguments, create the process, return its pid.
    pub(super) fn start_process(
        &mut self,
        state: &mut Vec<u8>,
        view: &View<'_>,
        spec: &RunSpec,
    ) -> Result<u8, Fault> {
        let mut args = Vec::with_capacity(spec.args.len());
        for arg in &spec.args {
            args.push(self.eval(&View { state, ..*view }, *arg)?);
        }
        self.push_frame(state, spec.proctype, spec.priority, &args)
    }

    fn push_frame(
        &mut self,
        state: &mut Vec<u8>,
        id: ProctypeId,
        priority: u8,
        args: &[i32],
    ) -> Result<u8, Fault> {
        let model = self.model;
        let proctype = model.proctype(id);
        self.touch_population();
        if self.frames.len() >= MOST {
            return Err(ErrorKind::TooManyProcesses.into());
        }
        if self.channels.len() + proctype.channels.len() > MOST {
            return Err(ErrorKind::TooManyChannels.into());
        }
        let pid = self.frames.len() as u8;
        let frame = state.len() as u32;
        state.resize((frame + proctype.frame_size) as usize, 0);
        self.frames.push(frame);
        self.loaded_len = usize::MAX;
        (model.layout).set_head(state, frame, id, proctype.initial);
        self.write_priority(state, frame, priority);
        for ((offset, scalar), value) in proctype.params.iter().zip(args) {
            scalar.write(state, (frame + offset) as usize, *value);
        }
        let mut channels = self.channels.len();
        for slot in &proctype.channels {
            self.channels.push(LoadedChannel {
                offset: frame + slot.offset,
                ty: slot.ty,
            });
        }
        self.initialise(state, pid, frame, &mut channels, &proctype.inits)?;
        Ok(pid)
    }

    /// Give first values, in the order of the declarations; `channels` counts those created.
    fn initialise(
        &self,
        state: &mut [u8],
        pid: u8,
        frame: u32,
        channels: &mut usize,
        inits: &[Initialiser],
    ) -> Result<(), Fault> {
        for init in inits {
            match *init {
                Initialiser::Value {
                    offset,
                    stride,
                    count,
                    scalar,
                    value,
                } => {
                    let view = View::quiet(state, pid, frame);
                    let value = self.eval(&view, value)?;
                    for i in 0..count {
                        scalar.write(state, (frame + offset + i * stride) as usize, value);
                    }
                }
                Initialiser::Channel { offset, .. } => {
                    *channels += 1;
                    state[(frame + offset) as usize] = *channels as u8;
                }
            }
        }
        Ok(())
    }

    /// Remove the youngest process with its channels.
    pub(super) fn end_process(&mut self, state: &mut Vec<u8>, pid: u8) {
        let frame = self.frames[pid as usize] as usize;
        // Nothing of it is left, whatever it was.
        (frame..state.len()).for_each(|at| self.touch(at));
        state.truncate(frame);
    }

    pub(super) fn write_priority(&self, state: &mut [u8], frame: u32, priority: u8) {
        if self.model.layout.priorities {
            self.touch((frame + self.model.layout.priority()) as usize);
            state[(frame + self.model.layout.priority()) as usize] = priority;
        }
    }

    /// Whether `provided` and the priorities let a process move.
    pub(super) fn may_move(&self, state: &[u8], pid: u8, cursor: &Cursor) -> Result<bool, Fault> {
        if !self.guarded {
            return Ok(true);
        }
        let view = View {
            moved: false,
            ..self.view(state, pid, cursor)
        };
        if !self.is_provided(&view)? {
            return Ok(false);
        }
        if !self.model.layout.priorities {
            return Ok(true);
        }
        let own = self.priority(state, view.frame);
        self.touch_population();
        for other in 0..self.frames.len() as u8 {
            let frame = self.frames[other as usize];
            if other != pid
                && self.priority(state, frame) > own
                && self.is_provided(&View {
                    pid: other,
                    frame,
                    ..view
                })?
                && self.is_enabled(&view, i32::from(other))?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_provided(&self, view: &View<'_>) -> Result<bool, Fault> {
        match self.proctype_of(view.state, view.pid).provided {
            Some(expr) => Ok(self.eval(view, expr)? != 0),
            None => Ok(true),
        }
    }

    /// `enabled(pid)`: some option of the process could be executed. As in Spin, a
    /// rendezvous send counts whether or not somebody would receive.
    pub(super) fn is_enabled(&self, view: &View<'_>, pid: i32) -> Result<bool, Fault> {
        let Some(frame) = self.frame_of(pid) else {
            return Ok(false);
        };
        let pid = pid as u8;
        let view = View {
            pid,
            frame,
            ..*view
        };
        let control = self.control_of(view.state, pid);
        let states = &self.proctype_of(view.state, pid).states;
        for entry in &states[control.index()].options {
            let transition = self.model.transition(entry.transition);
            if self.executable(&view, &transition.action)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
