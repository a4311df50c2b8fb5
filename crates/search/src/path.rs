//! The path of a depth-first search, in about ten bytes per step.
//!
//! For each step there is a record: how to turn the vector of the child back into that of
//! the parent, which row of the parent's expansion was taken, and what is left to do in the
//! parent. The steps themselves come back by executing the rows again, see
//! [`crate::replay`].
//!
//! The last nodes are kept as they are: a search goes forth and back there all the time, and
//! copying a vector takes less time than finding out how two differ. Records are only made
//! of nodes that stay.

use std::io;
use std::ops::ControlFlow;

use space::{Control, Pid};

use crate::records::Records;
use crate::{delta, varint};

/// The parent is under [`Control::Exclusive`]: the owner follows.
const EXCLUSIVE: u8 = 1;
/// The step is a handshake.
const HANDSHAKE: u8 = 2;
/// There is more to do in the parent.
const MORE: u8 = 4;
/// There are deferred counts to be added in the parent: they follow.
const CREDIT: u8 = 8;
/// There is a chain behind the step: its length follows.
const CHAIN: u8 = 16;
/// From this bit on the flags hold the number of the row, or this number and it follows.
const ROW_SHIFT: u32 = 5;
const LARGE_ROW: u8 = 7;

/// So many nodes are kept as they are, unless they take more than so many bytes.
const TOP_NODES: usize = 1 << 9;
const TOP_BYTES: usize = 1 << 16;

/// The deferred counts of rows to known states: how many they are, and the steps inside atomic
/// sequences that lead there. Both in one number, so that they are cheap to add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeferredCounts(u64);

impl DeferredCounts {
    /// One row, with so many steps inside an atomic sequence.
    #[inline]
    pub(crate) fn one(atomic_steps: u8) -> DeferredCounts {
        DeferredCounts(1 | u64::from(atomic_steps) << 32)
    }

    /// The rows.
    #[inline]
    pub(crate) fn matched(self) -> u64 {
        self.0 & u64::from(u32::MAX)
    }

    /// The steps inside atomic sequences.
    #[inline]
    pub(crate) fn atomic_steps(self) -> u64 {
        self.0 >> 32
    }
}

impl std::ops::AddAssign for DeferredCounts {
    #[inline]
    fn add_assign(&mut self, other: DeferredCounts) {
        self.0 += other.0;
    }
}

/// What is left to do in a node when its child is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The rows behind the one taken.
    More,
    /// Nothing: the others led to states that are known.
    Known(DeferredCounts),
}

/// A step of the path, with the chain behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The row of the parent's expansion.
    pub(crate) row: u32,
    /// Who may move in the parent.
    pub(crate) control: Control,
    /// Behind the step, so many others were taken that had no alternative.
    pub(crate) chain: u8,
    /// The levels between parent and child: 1 or 2, and the chain.
    pub(crate) levels: u64,
    /// What is left to do in the parent.
    pub(crate) rest: Rest,
}

impl Link {
    /// The number of steps.
    #[inline]
    pub(crate) fn steps(&self) -> u64 {
        1 + u64::from(self.chain)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let row = self.row.min(u32::from(LARGE_ROW)) as u8;
        let mut flags = row << ROW_SHIFT;
        if self.levels > self.steps() {
            flags |= HANDSHAKE;
        }
        if self.chain != 0 {
            flags |= CHAIN;
        }
        match self.rest {
            Rest::More => flags |= MORE,
            Rest::Known(DeferredCounts(0)) => {}
            Rest::Known(_) => flags |= CREDIT,
        }
        if let Control::Exclusive(owner) = self.control {
            out.extend_from_slice(&[flags | EXCLUSIVE, owner.0]);
        } else {
            out.push(flags);
        }
        if self.chain != 0 {
            out.push(self.chain);
        }
        if row == LARGE_ROW {
            varint::push(out, u64::from(self.row));
        }
        if let Rest::Known(DeferredCounts(deferred @ 1..)) = self.rest {
            varint::push(out, deferred);
        }
    }

    /// Read a link from the front of a record; the delta remains.
    fn read(record: &mut &[u8]) -> Link {
        let mut byte = || {
            let (&first, rest) = record.split_first().unwrap_or((&0, &[]));
            *record = rest;
            first
        };
        let flags = byte();
        let control = if flags & EXCLUSIVE != 0 {
            Control::Exclusive(Pid(byte()))
        } else {
            Control::Free
        };
        let chain = if flags & CHAIN != 0 { byte() } else { 0 };
        let row = match flags >> ROW_SHIFT {
            LARGE_ROW => varint::take(record) as u32,
            row => u32::from(row),
        };
        let rest = if flags & MORE != 0 {
            Rest::More
        } else if flags & CREDIT != 0 {
            Rest::Known(DeferredCounts(varint::take(record)))
        } else {
            Rest::Known(DeferredCounts(0))
        };
        Link {
            row,
            control,
            chain,
            levels: 1 + u64::from(flags & HANDSHAKE != 0) + u64::from(chain),
            rest,
        }
    }
}

/// A node that is kept as it is.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The step out of it.
    link: Link,
    /// Where its vector begins.
    start: usize,
}

/// The steps from the initial state to the current node.
///
/// Invariant: the steps are those of the records, then those out of the nodes of `top`. The
/// vectors of these nodes lie one behind the other in `bytes`, from 0 on, then that of the
/// current node, from `start` on.
#[derive(Debug)]
pub(crate) struct Path {
    records: Records,
    top: Vec<Node>,
    bytes: Vec<u8>,
    start: usize,
    len: u64,
}

impl Path {
    /// An empty path that keeps no more than about so many bytes in memory.
    pub(crate) fn new(in_memory: usize) -> Path {
        Path {
            records: Records::new(in_memory),
            top: Vec::with_capacity(TOP_NODES),
            bytes: Vec::new(),
            start: 0,
            len: 0,
        }
    }

    /// Begin in this node.
    pub(crate) fn begin(&mut self, vector: &[u8]) {
        debug_assert!(self.len == 0);
        self.bytes.clear();
        self.bytes.extend_from_slice(vector);
    }

    /// The number of steps.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The vector of the current node.
    #[inline]
    pub(crate) fn vector(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Append a step, or several, to another node.
    #[inline]
    pub(crate) fn push(&mut self, link: Link, child: &[u8]) {
        if self.top.len() == TOP_NODES || self.bytes.len() > TOP_BYTES {
            self.record_lower_half();
        }
        let start = std::mem::replace(&mut self.start, self.bytes.len());
        self.top.push(Node { link, start });
        self.bytes.extend_from_slice(child);
        self.len += link.steps();
    }

    /// Say what is left to do in the parent of the current node, which was pushed last.
    #[inline]
    pub(crate) fn set_rest(&mut self, rest: Rest) {
        if let Some(node) = self.top.last_mut() {
            node.link.rest = rest;
        }
    }

    #[cold]
    fn record_lower_half(&mut self) {
        let half = self.top.len().div_ceil(2);
        for number in 0..half {
            let Node { link, start } = self.top[number];
            let middle = self.start_above(number);
            let end = match number + 1 < self.top.len() {
                true => self.start_above(number + 1),
                false => self.bytes.len(),
            };
            let (parent, child) = (&self.bytes[start..middle], &self.bytes[middle..end]);
            self.records.push(|out| {
                link.write(out);
                delta::encode(child, parent, out);
            });
        }
        let Some(last) = half.checked_sub(1) else {
            return;
        };
        let done = self.start_above(last);
        self.top.drain(..half);
        self.bytes.drain(..done);
        self.start -= done;
        for node in &mut self.top {
            node.start -= done;
        }
    }

    /// Where the vector of the node behind one of `top` begins.
    fn start_above(&self, number: usize) -> usize {
        self.top.get(number + 1).map_or(self.start, |n| n.start)
    }

    /// Go back to the parent of the current node.
    #[inline]
    pub(crate) fn pop(&mut self) -> io::Result<Option<Link>> {
        let Some(node) = self.top.pop() else {
            return self.pop_record();
        };
        self.bytes.truncate(self.start);
        self.start = node.start;
        self.len -= node.link.steps();
        Ok(Some(node.link))
    }

    fn pop_record(&mut self) -> io::Result<Option<Link>> {
        let vector = &mut self.bytes;
        let link = self.records.pop(|mut record| {
            let link = Link::read(&mut record);
            delta::apply(record, vector);
            link
        })?;
        self.len -= link.map_or(0, |link| link.steps());
        Ok(link)
    }

    /// Look back along the path: `see` gets one node before the current one after the other,
    /// each with the step out of it.
    pub(crate) fn look_back(
        &self,
        mut see: impl FnMut(Link, &[u8]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut end = self.start;
        for node in self.top.iter().rev() {
            if see(node.link, &self.bytes[node.start..end]).is_break() {
                return Ok(());
            }
            end = node.start;
        }
        let mut vector = match self.top.is_empty() {
            true => self.bytes.clone(),
            false => self.bytes[..self.start_above(0)].to_vec(),
        };
        self.records.look_down(|mut record| {
            let link = Link::read(&mut record);
            delta::apply(record, &mut vector);
            see(link, &vector)
        })
    }

    /// The rows taken, from the initial state on.
    pub(crate) fn rows(&self) -> io::Result<Vec<u32>> {
        let mut rows = Vec::new();
        let mut add = |link: Link| {
            // In a chain there is but one.
            rows.extend((0..link.chain).map(|_| 0));
            rows.push(link.row);
        };
        self.top.iter().rev().for_each(|node| add(node.link));
        self.records.look_down(|mut record| {
            add(Link::read(&mut record));
            ControlFlow::Continue(())
        })?;
        rows.reverse();
        Ok(rows)
    }

    /// Whether a node inside an atomic sequence is on the path already, with only such since.
    /// The current node has this control; the other one is a step and a chain behind it.
    ///
    /// Looks only every `INTERVAL` nodes and not further back than `REACH`, so that it costs
    /// a step next to nothing, and still finds every short cycle some time. Once one was found, it
    /// has to look `closely`, at every node: of a loop with a choice in it there are otherwise
    /// as many paths as choices to the power of `INTERVAL`.
    #[inline]
    pub(crate) fn repeats(
        &self,
        vector: &[u8],
        control: Control,
        chain: u8,
        position: Control,
        closely: bool,
    ) -> io::Result<bool> {
        const INTERVAL: u64 = 1 << 12;
        let next = self.len + 1 + u64::from(chain);
        let is_due = closely || next / INTERVAL != self.len / INTERVAL;
        if !is_due || position == Control::Free {
            return Ok(false);
        }
        self.is_met_again(vector, control, position)
    }

    #[cold]
    fn is_met_again(&self, vector: &[u8], control: Control, position: Control) -> io::Result<bool> {
        const REACH: usize = 1 << 16;
        if (self.vector(), position) == (vector, control) {
            return Ok(true);
        }
        let mut repeats = false;
        let mut seen = 1;
        self.look_back(|link, before| {
            if seen == REACH || link.control == Control::Free {
                return ControlFlow::Break(());
            }
            seen += 1;
            repeats = link.control == control && before == vector;
            if repeats {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        Ok(repeats)
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.records.memory_bytes() + self.top_bytes()
    }

    /// The most memory that was ever in use.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.records.peak_bytes() + self.top_bytes()
    }

    fn top_bytes(&self) -> usize {
        self.bytes.capacity() + self.top.capacity() * size_of::<Node>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    fn random_link(numbers: &mut Numbers) -> Link {
        let chain = numbers.below(500).saturating_sub(300) as u8;
        Link {
            row: numbers.below(18) as u32,
            control: match numbers.below(2) {
                0 => Control::Free,
                _ => Control::Exclusive(Pid(numbers.below(255) as u8)),
            },
            chain,
            levels: 1 + numbers.below(2) as u64 + u64::from(chain),
            rest: match numbers.below(300) {
                200.. => Rest::More,
                deferred => Rest::Known(DeferredCounts(deferred as u64)),
            },
        }
    }

    #[test]
    fn steps_are_small_and_come_back() {
        let mut numbers = Numbers::new(5);
        let mut path = Path::new(usize::MAX);
        let mut vectors = vec![vec![1; 40]];
        let mut links: Vec<Link> = Vec::new();
        path.begin(&vectors[0]);
        for round in 0..100_000 {
            // Forth and back, but more often forth at first.
            if numbers.below(10) < if round < 60_000 { 4 } else { 6 } {
                let link = path.pop();
                assert!(matches!(link, Ok(link) if link == links.pop()));
                vectors.truncate(links.len() + 1);
            } else {
                let mut child = vectors[vectors.len() - 1].clone();
                if numbers.below(10) == 0 {
                    child.resize(30 + numbers.below(20), 1);
                }
                let at = numbers.below(child.len());
                child[at] = numbers.below(256) as u8;
                let mut link = random_link(&mut numbers);
                path.push(link, &child);
                link.rest = random_link(&mut numbers).rest;
                path.set_rest(link.rest);
                vectors.push(child);
                links.push(link);
            }
            assert_eq!(Some(path.vector()), vectors.last().map(|v| &v[..]));
            assert_eq!(path.len(), links.iter().map(Link::steps).sum());
            if round % 5000 == 0 {
                check_whole(&path, &links, &vectors);
            }
        }
    }

    fn check_whole(path: &Path, links: &[Link], vectors: &[Vec<u8>]) {
        let rows = (links.iter()).flat_map(|link| {
            let chain = (0..link.chain).map(|_| 0);
            std::iter::once(link.row).chain(chain)
        });
        assert!(matches!(path.rows(), Ok(r) if r == rows.collect::<Vec<u32>>()));
        let mut number = links.len();
        let looked = path.look_back(|link, vector| {
            number -= 1;
            assert_eq!((link, vector), (links[number], &vectors[number][..]));
            ControlFlow::Continue(())
        });
        assert!(looked.is_ok() && number == 0);
    }

    #[test]
    fn a_short_cycle_is_found_some_time() {
        let owner = Control::Exclusive(Pid(3));
        let link = |control| Link {
            row: 0,
            control,
            chain: 0,
            levels: 1,
            rest: Rest::More,
        };
        let mut path = Path::new(usize::MAX);
        path.begin(b"x");
        path.push(link(Control::Free), &[0]);
        let mut found = Vec::new();
        for n in 1..10_000_u64 {
            let next = [(n + 1) as u8 % 7];
            if matches!(path.repeats(&next, owner, 0, owner, false), Ok(true)) {
                found.push(path.len() + 1);
            }
            path.push(link(owner), &next);
        }
        assert_eq!(found, [4096, 8192]);
    }
}
