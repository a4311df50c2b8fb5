//! Where the second search begins and where it comes to.

use std::ops::ControlFlow;

use space::{Control, Mark};
use store::{Key, StateId};

use super::position::{Frame, Position, Taken};
use crate::Completion;
use crate::colours::{Colours, Revisit};
use crate::unfold::Unfold;
use crate::waiting::Entry;

/// The state that the second search has to come back to, if the colours do not know the path.
#[derive(Debug, Default)]
pub(super) struct Goal {
    /// The number of its frame.
    number: usize,
    state: Vec<u8>,
    copy: u16,
}

impl<C: Colours, U: Unfold> Position<'_, C, U> {
    /// The child is a known state behind an accepting move. Let the second search begin
    /// there, unless it has been there.
    pub(super) fn begin_behind(
        &mut self,
        via: Option<&Entry<Mark>>,
        child: &[u8],
        id: StateId,
        copy: u16,
    ) -> Result<Taken, Completion> {
        let state = &child[self.hidden_len..];
        if !C::KNOWS_PATH {
            self.set_goal(self.frames.len() - 1)?;
            if self.is_goal(state, copy) {
                return Ok(Taken::Closes(self.goal.number));
            }
        }
        if !self.colours.begin(state, id, copy) {
            return Ok(Taken::Done);
        }
        self.accounting.statistics.revisited += 1;
        self.push(via, child, Frame::new(id, copy));
        self.root = Some(self.frames.len() - 1);
        Ok(Taken::Entered)
    }

    /// The second search comes to a state, the child.
    #[inline]
    pub(super) fn revisit(
        &mut self,
        via: Option<&Entry<Mark>>,
        child: &[u8],
        key: Key,
        copy: u16,
    ) -> Result<Taken, Completion> {
        let state = &child[self.hidden_len..];
        if !C::KNOWS_PATH && self.is_goal(state, copy) {
            return Ok(Taken::Closes(self.goal.number));
        }
        match self.colours.revisit(state, key, copy) {
            Revisit::OnPath(id) => return Ok(Taken::Closes(self.find(id, copy))),
            Revisit::Visit(id) => {
                self.accounting.statistics.revisited += 1;
                self.push(via, child, Frame::new(id, copy));
                return Ok(Taken::Entered);
            }
            Revisit::Known => self.accounting.statistics.matched += 1,
            Revisit::Unknown => {
                self.accounting.statistics.matched += 1;
                // Without a bound this is a store that takes states for others, and says so itself.
                self.accounting.truncated |= C::EXACT || self.accounting.config.depth.is_some();
            }
        }
        Ok(Taken::Done)
    }

    /// Whether the second search will only count a state, whenever it meets it.
    #[inline]
    pub(super) fn needs_only_counting_again(&mut self, state: &[u8], key: Key, copy: u16) -> bool {
        let closes = !C::KNOWS_PATH && self.is_goal(state, copy);
        !closes && self.colours.is_done(state, key, copy)
    }

    /// The second search has to come to the last state up to the frame of this number.
    fn set_goal(&mut self, from: usize) -> Result<(), Completion> {
        let frames = &self.frames;
        let is_state = |frame: &Frame<U::Gathered>| frame.control == Control::Free;
        let number = frames[..=from].iter().rposition(is_state).unwrap_or(0);
        self.goal.number = number;
        self.goal.copy = frames[number].copy;
        self.goal.state.clear();
        let mut at = frames.len() - 1;
        if at == number {
            (self.goal.state).extend_from_slice(&self.path.vector()[self.hidden_len..]);
            return Ok(());
        }
        let looked = self.path.look_back(|_, vector| {
            at -= 1;
            if at > number {
                return ControlFlow::Continue(());
            }
            (self.goal.state).extend_from_slice(&vector[self.hidden_len..]);
            ControlFlow::Break(())
        });
        looked.map_err(|error| self.accounting.give_up(&error))
    }

    /// Whether a state is the goal of the second search.
    #[inline]
    fn is_goal(&self, state: &[u8], copy: u16) -> bool {
        self.goal.copy == copy && self.goal.state == state
    }

    /// Leave the current node. Whether the second search begins there instead.
    #[inline]
    pub(super) fn begins_second(&mut self) -> Result<bool, Completion> {
        let begins = self.top().control == Control::Free && self.begins_in_state()?;
        if begins {
            self.accounting.statistics.revisited += 1;
            self.root = Some(self.frames.len() - 1);
        }
        Ok(begins)
    }

    fn begins_in_state(&mut self) -> Result<bool, Completion> {
        let number = self.frames.len() - 1;
        let frame = self.frames[number];
        let Frame { id, copy, .. } = frame;
        if let Some(root) = self.root {
            if root == number {
                self.root = None;
                if frame.accepts {
                    self.colours.end_on_path(id, copy);
                }
            }
            return Ok(false);
        }
        if !U::SECOND {
            self.colours.leave(id, copy);
            return Ok(false);
        }
        if frame.accepts {
            if !C::KNOWS_PATH {
                self.set_goal(number)?;
            }
            let state = &self.path.vector()[self.hidden_len..];
            return Ok(self.colours.begin_on_path(state, copy));
        }
        self.colours.leave(id, copy);
        if !frame.seeds {
            return Ok(false);
        }
        if !C::KNOWS_PATH {
            self.set_goal(number - 1)?;
        }
        let state = &self.path.vector()[self.hidden_len..];
        Ok(self.colours.begin(state, id, copy))
    }
}
