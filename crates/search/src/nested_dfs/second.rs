//! Where the second search begins and where it comes to.

use std::ops::ControlFlow;

use space::{Acceptance, Control, Mark};
use store::{Key, StateId};

use super::{Frame, Nested};
use crate::Completion;
use crate::colours::{Again, Colours};
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

impl<M: Acceptance, C: Colours, U: Unfold> Nested<'_, M, C, U> {
    /// The child is a known state behind an accepting move. Let the second search begin
    /// there, unless it has been there. Whether it was entered.
    pub(super) fn begin_behind(
        &mut self,
        via: Option<&Entry<Mark>>,
        id: StateId,
        copy: u16,
    ) -> Result<bool, Completion> {
        if !C::KNOWS_PATH {
            self.set_goal(self.frames.len() - 1)?;
            if self.is_goal(copy) {
                return self.close(self.goal.number, via).and(Ok(false));
            }
        }
        if !(self.colours).begin(&self.child[self.hidden_len..], id, copy) {
            return Ok(false);
        }
        self.tally.figures.revisited += 1;
        self.push(via, Frame::new(id, copy));
        self.root = Some(self.frames.len() - 1);
        Ok(true)
    }

    /// The second search comes to a state, the child. Whether it was entered.
    pub(super) fn meet_again(
        &mut self,
        via: Option<&Entry<Mark>>,
        key: Key,
        copy: u16,
    ) -> Result<bool, Completion> {
        if !C::KNOWS_PATH && self.is_goal(copy) {
            return self.close(self.goal.number, via).and(Ok(false));
        }
        let state = &self.child[self.hidden_len..];
        match self.colours.meet_again(state, key, copy) {
            Again::OnPath(id) => {
                let start = self.find(id, copy);
                self.close(start, via)?;
            }
            Again::Visit(id) => {
                self.tally.figures.revisited += 1;
                self.push(via, Frame::new(id, copy));
                return Ok(true);
            }
            Again::Known => self.tally.figures.matched += 1,
            Again::Unknown => self.tally.truncate(),
        }
        Ok(false)
    }

    /// The second search has to come to the last state up to the frame of this number.
    pub(super) fn set_goal(&mut self, from: usize) -> Result<(), Completion> {
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
        looked.map_err(|error| self.tally.give_up(&error))
    }

    /// Whether the child is the goal of the second search.
    #[inline]
    pub(super) fn is_goal(&self, copy: u16) -> bool {
        self.goal.copy == copy && self.goal.state == self.child[self.hidden_len..]
    }

    /// Leave the current node, a state. Whether the second search begins there instead.
    pub(super) fn begins_second(&mut self) -> Result<bool, Completion> {
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
