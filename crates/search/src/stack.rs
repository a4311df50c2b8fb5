//! The path of a depth-first search, in few bytes per node.
//!
//! A frame does not hold a state vector. For a state that is in a readable store it holds
//! the id; for any other node the vector lies in a byte stack beside the frames. Hidden
//! bytes, which stores do not see, lie there in both cases.

use space::{Control, Pid, Step, Trace, TransitionId};
use store::{StateId, StateStore};

/// The vector lies in `bytes`, not in the store.
const KEPT: u8 = 1;
/// The node is under [`Control::Exclusive`].
const EXCLUSIVE: u8 = 2;
/// The step is a handshake.
const HANDSHAKE: u8 = 4;

/// A node of the path, where its enumeration stands, and the step that led to it.
///
/// The fields of [`Step`] and [`Control`] are spread out: with a cursor of 12 bytes a frame
/// has 32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<C> {
    /// With `KEPT` where the vector begins in `bytes`, otherwise the bits of a [`StateId`].
    place: u64,
    /// Where the enumeration of the steps out of the node stands.
    pub(crate) cursor: C,
    transition: TransitionId,
    partner_transition: TransitionId,
    pid: Pid,
    partner: Pid,
    owner: Pid,
    flags: u8,
}

impl<C> Frame<C> {
    fn new(step: Option<Step>, control: Control, cursor: C) -> Frame<C> {
        let mut frame = Frame {
            place: 0,
            cursor,
            transition: TransitionId(0),
            partner_transition: TransitionId(0),
            pid: Pid(0),
            partner: Pid(0),
            owner: Pid(0),
            flags: 0,
        };
        if let Some(step) = step {
            frame.transition = step.transition;
            frame.pid = step.pid;
            if let Some((partner, transition)) = step.partner {
                frame.partner = partner;
                frame.partner_transition = transition;
                frame.flags |= HANDSHAKE;
            }
        }
        if let Control::Exclusive(owner) = control {
            frame.owner = owner;
            frame.flags |= EXCLUSIVE;
        }
        frame
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Who may move in the node.
    pub(crate) fn control(&self) -> Control {
        if self.has(EXCLUSIVE) {
            Control::Exclusive(self.owner)
        } else {
            Control::Free
        }
    }

    /// The step that led here. Means nothing for the bottom of the stack.
    fn step(&self) -> Step {
        Step {
            pid: self.pid,
            transition: self.transition,
            partner: (self.has(HANDSHAKE)).then_some((self.partner, self.partner_transition)),
        }
    }

    /// The levels between the node below and this one.
    pub(crate) fn levels(&self) -> u64 {
        if self.has(HANDSHAKE) { 2 } else { 1 }
    }
}

/// The path from the initial state to the current node.
///
/// Invariant: `bytes` consists of one piece per frame, in order: the whole vector for a
/// frame with `KEPT`, the hidden prefix (of fixed length, mostly 0) for the others.
#[derive(Debug)]
pub(crate) struct Stack<C> {
    frames: Vec<Frame<C>>,
    bytes: Vec<u8>,
    hidden_len: usize,
}

impl<C: Copy + Default> Stack<C> {
    pub(crate) fn new(hidden_len: usize) -> Stack<C> {
        Stack {
            frames: Vec::new(),
            bytes: Vec::new(),
            hidden_len,
        }
    }

    pub(crate) fn top(&mut self) -> Option<&mut Frame<C>> {
        self.frames.last_mut()
    }

    /// Push a node whose vector is in the store.
    #[inline]
    pub(crate) fn push_stored(&mut self, id: StateId, vector: &[u8], step: Option<Step>) {
        let mut frame = Frame::new(step, Control::Free, C::default());
        frame.place = id.to_bits();
        self.bytes.extend_from_slice(&vector[..self.hidden_len]);
        self.frames.push(frame);
    }

    /// Push a node whose vector is kept here.
    #[inline]
    pub(crate) fn push_kept(&mut self, vector: &[u8], step: Option<Step>, control: Control) {
        let mut frame = Frame::new(step, control, C::default());
        frame.place = self.bytes.len() as u64;
        frame.flags |= KEPT;
        self.bytes.extend_from_slice(vector);
        self.frames.push(frame);
    }

    /// Make the top, an exclusive node, a free one, with its enumeration at the beginning.
    /// With an id its vector is in the store from now on.
    pub(crate) fn release_top(&mut self, id: Option<StateId>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.cursor = C::default();
        frame.flags &= !EXCLUSIVE;
        if let Some(id) = id {
            self.bytes.truncate(frame.place as usize + self.hidden_len);
            frame.flags &= !KEPT;
            frame.place = id.to_bits();
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Frame<C>> {
        let frame = self.frames.pop()?;
        let rest = if frame.has(KEPT) {
            frame.place as usize
        } else {
            self.bytes.len() - self.hidden_len
        };
        self.bytes.truncate(rest);
        Some(frame)
    }

    /// Read the vector of the top node.
    #[inline]
    pub(crate) fn read_top<S: StateStore>(&self, store: &S, vector: &mut Vec<u8>) {
        vector.clear();
        if let Some(frame) = self.frames.last() {
            if frame.has(KEPT) {
                vector.extend_from_slice(&self.bytes[frame.place as usize..]);
            } else {
                vector.extend_from_slice(&self.bytes[self.bytes.len() - self.hidden_len..]);
                store.read(StateId::from_bits(frame.place), vector);
            }
        }
    }

    /// The step that led to the top; none if that is the initial state.
    pub(crate) fn last_step(&self) -> Option<Step> {
        self.frames.iter().skip(1).next_back().map(Frame::step)
    }

    /// The steps of the path.
    pub(crate) fn trace(&self) -> Trace {
        Trace {
            steps: self.frames.iter().skip(1).map(Frame::step).collect(),
        }
    }

    /// Whether an exclusive node is on the path already, with only exclusive ones since.
    ///
    /// Looks only every `INTERVAL` nodes and not further back than `REACH`, so that it costs
    /// a step next to nothing, and still finds every short cycle some time.
    pub(crate) fn repeats(&self, vector: &[u8], control: Control) -> bool {
        const INTERVAL: usize = 1 << 12;
        const REACH: usize = 1 << 16;
        if !self.frames.len().is_multiple_of(INTERVAL) {
            return false;
        }
        let mut end = self.bytes.len();
        for frame in self.frames.iter().rev().take(REACH) {
            if !frame.has(EXCLUSIVE) {
                return false;
            }
            let start = frame.place as usize;
            if frame.control() == control && &self.bytes[start..end] == vector {
                return true;
            }
            end = start;
        }
        false
    }

    /// The memory in use, which never shrinks.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame<C>>() + self.bytes.capacity()
    }
}

#[cfg(test)]
mod tests {
    use store::PlainStore;

    use super::*;

    #[test]
    fn frames_are_small() {
        assert_eq!(size_of::<Frame<[u32; 3]>>(), 32);
    }

    #[test]
    fn vectors_come_back() {
        let mut store = PlainStore::new();
        let mut stack: Stack<u32> = Stack::new(2);
        let handshake = Step {
            pid: Pid(3),
            transition: TransitionId(4),
            partner: Some((Pid(5), TransitionId(6))),
        };
        let id = |store: &mut PlainStore, state: &[u8]| store.insert(state).id();
        stack.push_stored(id(&mut store, b"abc"), b"12abc", None);
        stack.push_kept(b"34defg", Some(handshake), Control::Exclusive(Pid(5)));
        stack.push_stored(id(&mut store, b"h"), b"56h", Some(handshake));

        let mut vector = Vec::new();
        let mut top = |stack: &Stack<u32>, store: &PlainStore| {
            stack.read_top(store, &mut vector);
            String::from_utf8_lossy(&vector).into_owned()
        };
        assert_eq!(top(&stack, &store), "56h");
        assert_eq!(stack.trace().steps, [handshake, handshake]);
        assert_eq!(stack.pop().map(|f| f.levels()), Some(2));
        assert_eq!(top(&stack, &store), "34defg");
        stack.release_top(None);
        assert_eq!(top(&stack, &store), "34defg");
        stack.release_top(Some(id(&mut store, b"defg")));
        assert_eq!(top(&stack, &store), "34defg");
        assert_eq!(stack.last_step(), Some(handshake));
        assert_eq!(stack.pop().map(|f| f.control()), Some(Control::Free));
        assert_eq!(top(&stack, &store), "12abc");
        assert_eq!(stack.last_step(), None);
        assert!(stack.pop().is_some() && stack.pop().is_none() && stack.bytes.is_empty());
    }
}
