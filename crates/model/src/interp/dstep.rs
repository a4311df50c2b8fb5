//! Deterministic sequences: one step, the first executable option at each choice.

use space::ErrorKind;

use super::exec::Executed;
use super::{Fault, Interp, View};
use crate::model::{Action, DStepOp};

/// A `d_step` that executes more statements than this is taken to be endless.
const ENDLESS: u32 = 1 << 24;

impl Interp<'_> {
    /// A `d_step` can start if one of its first statements can.
    pub(super) fn dstep_executable(&self, view: &View<'_>, row: u32) -> Result<bool, Fault> {
        let guards = &self.model.dsteps[row as usize].guards;
        for guard in guards {
            if self.executable(view, guard)? {
                return Ok(true);
            }
        }
        Ok(guards.is_empty() && self.offer.is_none())
    }

    /// Execute a `d_step` that can start.
    pub(super) fn execute_dstep(
        &mut self,
        state: &mut Vec<u8>,
        view: &View<'_>,
        row: u32,
    ) -> Result<Executed, Fault> {
        let model = self.model;
        let ops = &model.dsteps[row as usize].ops;
        let offered = self.offer.channel;
        let mut violation = None;
        let mut pc = 0;
        for _ in 0..ENDLESS {
            match &ops[pc as usize] {
                DStepOp::Done => {
                    self.offer.channel = offered;
                    return Ok(Executed(violation));
                }
                DStepOp::Jump(to) => pc = *to,
                DStepOp::Blocked => {
                    return Err(ErrorKind::DStepBlocks.into());
                }
                DStepOp::Do {
                    action, otherwise, ..
                } => {
                    let here = View {
                        state: &state[..],
                        moved: false,
                        ..*view
                    };
                    if self.executable(&here, action)? {
                        self.refuse_rendezvous(&here, action)?;
                        let before = View { state: &[], ..here };
                        match self.execute(state, &before, action)? {
                            Some(executed) if violation.is_none() => violation = executed.0,
                            Some(executed) => self.further.extend(executed.0),
                            None => return Err(ErrorKind::DStepBlocks.into()),
                        }
                        // The offer is taken by the first statement or not at all.
                        self.offer.channel = 0;
                        pc += 1;
                    } else {
                        match otherwise {
                            Some(to) => pc = *to,
                            None => return Err(ErrorKind::DStepBlocks.into()),
                        }
                    }
                }
            }
        }
        Err(ErrorKind::DStepEndless.into())
    }

    fn refuse_rendezvous(&self, view: &View<'_>, action: &Action) -> Result<(), Fault> {
        if let Action::Send { channel, .. } = action {
            let channel = self.channel(self.load_place(view, *channel)?)?;
            if self.model.channel_type(channel.ty).capacity == 0 {
                return Err(ErrorKind::DStepRendezvous.into());
            }
        }
        Ok(())
    }
}
