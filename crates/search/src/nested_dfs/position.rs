//! Where a nested search is, and what it takes to go on from there.

use space::{Acceptance, Control, Mark, Row, TransitionId};
use store::{Key, StateId};

use super::rows::STATELESS;
use super::second::Goal;
use crate::accounting::Accounting;
use crate::colours::{Colour, Colours};
use crate::findings::Keep;
use crate::path::{DeferredCounts, Link, Path, Rest};
use crate::unfold::Unfold;
use crate::waiting::{Entry, Waiting};
use crate::{Completion, SearchConfig};

/// So many rows that wait are looked at before their turn.
const LOOK_AHEAD: usize = 2;

/// A node of the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<G> {
    /// What was gathered since the last state, or in this state.
    pub(super) gathered: G,
    /// The state, unless the node is inside an atomic sequence.
    pub(super) id: StateId,
    /// The row to try next.
    pub(super) next: u32,
    /// So many rows behind the last one that waits are only to be counted.
    pub(super) after: u32,
    /// The copy of the last state.
    pub(super) copy: u16,
    pub(super) control: Control,
    /// Whether rows are left to try.
    pub(super) more: bool,
    /// The last state is an accepting one.
    pub(super) accepts: bool,
    /// An accepting move led here: the second search has to begin here.
    pub(super) seeds: bool,
}

impl<G: Default> Frame<G> {
    /// For a state that was just met.
    pub(super) fn new(id: StateId, copy: u16) -> Frame<G> {
        Frame {
            gathered: G::default(),
            id,
            next: 0,
            after: 0,
            copy,
            control: Control::Free,
            more: false,
            accepts: false,
            seeds: false,
        }
    }
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The node it leads to was entered.
    Entered,
    /// There is nothing more to do.
    Done,
    /// It closes a cycle that begins in the frame of this number.
    Closes(usize),
}

/// The node where the search is, how it came there, and the accounting.
///
/// Invariant: the nodes of `path` and the `frames` are the same, the initial state first, and
/// `level` is that of the last one.
pub(super) struct Position<'a, C, U: Unfold> {
    pub(super) colours: C,
    pub(super) unfold: U,
    pub(super) accounting: Accounting<'a>,
    pub(super) path: Path,
    pub(super) frames: Vec<Frame<U::Gathered>>,
    pub(super) level: u64,
    pub(super) bound: u64,
    pub(super) hidden_len: usize,
    /// The levels that a claim takes in a state, before the model moves.
    pub(super) claim_levels: u64,
    /// Whether states are accepting.
    pub(super) by_states: bool,
    /// The frame where the second search began, while it lasts.
    pub(super) root: Option<usize>,
    /// Where the accepting move began. Only if the colours do not know the path.
    pub(super) goal: Goal,
    /// A move led to a copy that does not exist.
    pub(super) too_many: bool,
}

impl<'a, C: Colours, U: Unfold> Position<'a, C, U> {
    pub(super) fn new<M: Acceptance>(
        model: &M,
        colours: C,
        unfold: U,
        config: &SearchConfig<'a>,
    ) -> Self {
        Position {
            colours,
            unfold,
            accounting: Accounting::new(config, model.transition_count(), Keep::First),
            path: Path::new(config.stack_in_memory),
            frames: Vec::new(),
            level: 0,
            bound: config.depth.unwrap_or(u64::MAX),
            hidden_len: model.hidden_len(),
            claim_levels: model.claim_levels(),
            by_states: U::ONE_COPY && U::SECOND && model.on_states(),
            root: None,
            goal: Goal::default(),
            too_many: false,
        }
    }

    /// Enter the initial state. Whether there is anything to search.
    pub(super) fn begin(&mut self, vector: &[u8]) -> bool {
        self.path.begin(vector);
        if self.bound == 0 {
            self.accounting.truncate();
            return false;
        }
        let state = &vector[self.hidden_len..];
        let key = self.colours.prepare(state, false);
        let visited = self.colours.visit(state, key, 0);
        self.accounting.stored(vector.len());
        self.frames.push(Frame::new(visited.id, 0));
        true
    }

    #[inline]
    pub(super) fn top(&mut self) -> &mut Frame<U::Gathered> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Take the step of a row, which leads to the child.
    #[inline]
    pub(super) fn take(&mut self, entry: &Entry<Mark>, child: &[u8]) -> Result<Taken, Completion> {
        let row = &entry.row;
        self.accounting.execute(row);
        if row.has(Row::HANDSHAKE) && self.level + 1 >= self.bound {
            // Its middle is too deep: counted with the offer.
            return Ok(Taken::Done);
        }
        let is_model = row.transition != TransitionId::STUTTER.0;
        self.accounting.statistics.atomic_steps += u64::from(row.has(Row::EXCLUSIVE) && is_model);
        if self.level + self.levels(row) >= self.bound {
            self.accounting.truncate();
            return Ok(Taken::Done);
        }
        let top = &self.frames[self.frames.len() - 1];
        let gathered = self.unfold.add(top.gathered, row, entry.marks);
        if row.has(Row::EXCLUSIVE) {
            return self.take_exclusive(entry, child, gathered);
        }
        let Some((copy, accepting)) = self.unfold.behind(top.copy, &gathered) else {
            return self.give_up();
        };
        match self.root {
            None => self.visit(Some(entry), child, entry.key, copy, accepting),
            Some(_) => self.revisit(Some(entry), child, entry.key, copy),
        }
    }

    /// There are not enough copies.
    #[cold]
    fn give_up(&mut self) -> Result<Taken, Completion> {
        self.too_many = true;
        Err(Completion::Interrupted)
    }

    /// The levels between the current node and the one that a row leads to.
    #[inline]
    fn levels(&self, row: &Row) -> u64 {
        let claim = match row.transition != TransitionId::STUTTER.0 {
            true => self.claim_levels_here(),
            false => 0,
        };
        row.levels() + claim
    }

    /// The levels that a claim takes in the current node, before the model moves.
    #[inline]
    fn claim_levels_here(&self) -> u64 {
        match self.frames[self.frames.len() - 1].control {
            Control::Free => self.claim_levels,
            Control::Exclusive(_) => 0,
        }
    }

    /// A send is ready. The middle of the handshake counts once for all partners.
    pub(super) fn offer(&mut self) {
        let level = self.level + self.claim_levels_here() + 1;
        if level >= self.bound {
            self.accounting.truncate();
        } else {
            self.accounting.reach(level);
        }
    }

    /// Go on inside an atomic sequence.
    fn take_exclusive(
        &mut self,
        entry: &Entry<Mark>,
        child: &[u8],
        gathered: U::Gathered,
    ) -> Result<Taken, Completion> {
        let top = self.frames[self.frames.len() - 1];
        let control = entry.row.control();
        if self.accounting.config.depth.is_none() {
            let closely = self.accounting.statistics.endless_atomics > 0;
            let repeats = (self.path).repeats(child, control, 0, top.control, closely);
            if repeats.map_err(|error| self.accounting.give_up(&error))? {
                self.accounting.statistics.endless_atomics += 1;
                return Ok(Taken::Done);
            }
        }
        let frame = Frame {
            gathered,
            control,
            seeds: false,
            ..top
        };
        self.push(Some(entry), child, frame);
        Ok(Taken::Entered)
    }

    /// Enter the child that the step of a row leads to; without a row the current node is
    /// taken as another.
    #[inline]
    pub(super) fn push(
        &mut self,
        via: Option<&Entry<Mark>>,
        child: &[u8],
        frame: Frame<U::Gathered>,
    ) {
        let Some(entry) = via else {
            *self.top() = frame;
            return;
        };
        let link = Link {
            row: entry.number,
            control: self.top().control,
            chain: 0,
            levels: self.levels(&entry.row),
            rest: Rest::Known(DeferredCounts::default()),
        };
        self.path.push(link, child);
        self.level += link.levels;
        self.accounting.reach(self.level);
        self.frames.push(frame);
    }

    /// Leave the current node. Whether there is one before it.
    #[inline]
    pub(super) fn pop(&mut self) -> Result<bool, Completion> {
        let link = self.path.pop();
        let link = link.map_err(|error| self.accounting.give_up(&error))?;
        self.frames.pop();
        self.level -= link.map_or(0, |link| link.levels);
        Ok(link.is_some())
    }

    /// The first search comes to a state, the child.
    #[inline]
    fn visit(
        &mut self,
        via: Option<&Entry<Mark>>,
        child: &[u8],
        key: Key,
        copy: u16,
        accepting: bool,
    ) -> Result<Taken, Completion> {
        // A move out of an accepting state needs no seed behind it: the state is one.
        let seeds = U::SECOND && accepting && !self.top().accepts;
        let visited = (self.colours).visit(&child[self.hidden_len..], key, copy);
        match visited.colour {
            Colour::White => {
                match visited.is_stored {
                    true => self.accounting.stored(child.len()),
                    false => self.accounting.statistics.revisited += 1,
                }
                let frame = Frame {
                    seeds,
                    ..Frame::new(visited.id, copy)
                };
                self.push(via, child, frame);
                return Ok(Taken::Entered);
            }
            Colour::Cyan if accepting || self.by_states && visited.accepts => {
                return Ok(Taken::Closes(self.find(visited.id, copy)));
            }
            _ => self.accounting.statistics.matched += 1,
        }
        match visited.colour {
            Colour::Blue if seeds => self.begin_behind(via, child, visited.id, copy),
            _ => Ok(Taken::Done),
        }
    }

    /// Ask for the memory of the rows that will be tried after the next one: it may be long since
    /// they were looked at.
    #[inline]
    pub(super) fn fetch_waiting(&self, waiting: &Waiting<Mark>) {
        for entry in waiting.below().take(LOOK_AHEAD) {
            if !entry.row.has(STATELESS) {
                self.colours.fetch(entry.key, self.root.is_some());
            }
        }
    }

    /// Whether all that is left to do about a row of a node of the path is to count the
    /// state it leads to, now and in its turn.
    #[inline]
    pub(super) fn needs_only_counting(
        &mut self,
        node: usize,
        entry: &Entry<Mark>,
        child: &[u8],
        second: bool,
    ) -> bool {
        let frame = &self.frames[node];
        let gathered = self.unfold.add(frame.gathered, &entry.row, entry.marks);
        let Some((copy, accepting)) = self.unfold.behind(frame.copy, &gathered) else {
            return false;
        };
        let state = &child[self.hidden_len..];
        if second {
            return self.needs_only_counting_again(state, entry.key, copy);
        }
        let Some(seen) = self.colours.look(state, entry.key, copy) else {
            return false;
        };
        match seen.colour {
            Colour::White => false,
            Colour::Cyan => !(accepting || self.by_states && seen.accepts),
            Colour::Blue => !U::SECOND || !accepting || frame.accepts,
            Colour::Red => true,
        }
    }

    /// The frame of a state on the path of the first search.
    pub(super) fn find(&self, id: StateId, copy: u16) -> usize {
        let is_it = |frame: &Frame<U::Gathered>| {
            frame.control == Control::Free && (frame.id, frame.copy) == (id, copy)
        };
        let last = self.root.unwrap_or(self.frames.len() - 1);
        (self.frames[..=last].iter()).rposition(is_it).unwrap_or(0)
    }

    /// The current node, inside an atomic sequence, has no steps: take it as a state.
    pub(super) fn enter_as_free(&mut self) -> Result<Taken, Completion> {
        let top = *self.top();
        let Some((copy, accepting)) = self.unfold.behind(top.copy, &top.gathered) else {
            return self.give_up();
        };
        let child = self.path.vector().to_vec();
        let second = self.root.is_some();
        let key = (self.colours).prepare(&child[self.hidden_len..], second);
        match second {
            false => self.visit(None, &child, key, copy, accepting),
            true => self.revisit(None, &child, key, copy),
        }
    }
}
