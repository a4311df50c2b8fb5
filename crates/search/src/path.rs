//! The path of a depth-first search, in about ten bytes per step.
//!
//! No state vector is kept but that of the current node. For each step there is a record:
//! how to turn the vector of the child back into that of the parent, which row of the
//! parent's expansion was taken, and what is left to do in the parent. The steps themselves
//! come back by executing the rows again, see [`crate::replay`].

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
/// There is a number of known successors to be counted in the parent: it follows.
const CREDIT: u8 = 8;
/// From this bit on the flags hold the number of the row, or this number and it follows.
const ROW_SHIFT: u32 = 4;
const LARGE_ROW: u8 = 15;

/// What is left to do in a node when its child is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The rows behind the one taken.
    More,
    /// Nothing: so many rows led to states that are known.
    Known(u64),
}

/// A step of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The row of the parent's expansion.
    pub(crate) row: u32,
    /// Who may move in the parent.
    pub(crate) control: Control,
    /// The levels between parent and child, 1 or 2.
    pub(crate) levels: u64,
    /// What is left to do in the parent.
    pub(crate) rest: Rest,
}

impl Link {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        let row = self.row.min(u32::from(LARGE_ROW)) as u8;
        let mut flags = row << ROW_SHIFT;
        if self.levels == 2 {
            flags |= HANDSHAKE;
        }
        match self.rest {
            Rest::More => flags |= MORE,
            Rest::Known(0) => {}
            Rest::Known(_) => flags |= CREDIT,
        }
        if let Control::Exclusive(owner) = self.control {
            out.extend_from_slice(&[flags | EXCLUSIVE, owner.0]);
        } else {
            out.push(flags);
        }
        if row == LARGE_ROW {
            varint::push(out, u64::from(self.row));
        }
        if let Rest::Known(credit @ 1..) = self.rest {
            varint::push(out, credit);
        }
    }

    /// Read a link from the front of a record; the delta remains.
    #[inline]
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
        let row = match flags >> ROW_SHIFT {
            LARGE_ROW => varint::take(record) as u32,
            row => u32::from(row),
        };
        let rest = if flags & MORE != 0 {
            Rest::More
        } else if flags & CREDIT != 0 {
            Rest::Known(varint::take(record))
        } else {
            Rest::Known(0)
        };
        Link {
            row,
            control,
            levels: if flags & HANDSHAKE != 0 { 2 } else { 1 },
            rest,
        }
    }
}

/// The steps from the initial state to the current node.
#[derive(Debug)]
pub(crate) struct Path {
    records: Records,
    len: u64,
}

impl Path {
    /// An empty path that keeps no more than about so many bytes in memory.
    pub(crate) fn new(in_memory: usize) -> Path {
        Path {
            records: Records::new(in_memory),
            len: 0,
        }
    }

    /// The number of steps.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Append a step.
    #[inline]
    pub(crate) fn push(&mut self, link: Link, parent: &[u8], child: &[u8]) {
        self.records.push(|out| {
            link.write(out);
            delta::encode(child, parent, out);
        });
        self.len += 1;
    }

    /// Go back by one step: `vector` is that of the child and becomes that of the parent.
    #[inline]
    pub(crate) fn pop(&mut self, vector: &mut Vec<u8>) -> io::Result<Option<Link>> {
        let link = self.records.pop(|mut record| {
            let link = Link::read(&mut record);
            delta::apply(record, vector);
            link
        })?;
        self.len -= u64::from(link.is_some());
        Ok(link)
    }

    /// Look back along the path: `vector` is that of the last node and becomes that of one
    /// node before it after the other; `see` gets the step out of it.
    pub(crate) fn look_back(
        &self,
        vector: &mut Vec<u8>,
        mut see: impl FnMut(Link, &[u8]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.records.look_down(|mut record| {
            let link = Link::read(&mut record);
            delta::apply(record, vector);
            see(link, vector)
        })
    }

    /// The rows taken, from the initial state on.
    pub(crate) fn rows(&self) -> io::Result<Vec<u32>> {
        let mut rows = Vec::new();
        self.records.look_down(|mut record| {
            rows.push(Link::read(&mut record).row);
            ControlFlow::Continue(())
        })?;
        rows.reverse();
        Ok(rows)
    }

    /// Whether an exclusive node is on the path already, with only exclusive ones since.
    /// `last` is the vector and the control of the last node of the path.
    ///
    /// Looks only every `INTERVAL` nodes and not further back than `REACH`, so that it costs
    /// a step next to nothing, and still finds every short cycle some time.
    pub(crate) fn repeats(
        &self,
        vector: &[u8],
        control: Control,
        last: (&[u8], Control),
    ) -> io::Result<bool> {
        const INTERVAL: u64 = 1 << 12;
        const REACH: usize = 1 << 16;
        if !(self.len + 1).is_multiple_of(INTERVAL) || last.1 == Control::Free {
            return Ok(false);
        }
        if last == (vector, control) {
            return Ok(true);
        }
        let mut repeats = false;
        let mut seen = 1;
        self.look_back(&mut last.0.to_vec(), |link, before| {
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
        self.records.memory_bytes()
    }

    /// The most memory that was ever in use.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.records.peak_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn steps_are_small_and_come_back() {
        let mut numbers = Numbers::new(5);
        let mut path = Path::new(usize::MAX);
        let mut vectors = vec![vec![1; 40]];
        let mut links = Vec::new();
        for _ in 0..10_000 {
            let parent = vectors[vectors.len() - 1].clone();
            let mut child = parent.clone();
            if numbers.below(10) == 0 {
                child.resize(30 + numbers.below(20), 1);
            }
            let at = numbers.below(child.len());
            child[at] = numbers.below(256) as u8;
            let link = Link {
                row: numbers.below(18) as u32,
                control: match numbers.below(2) {
                    0 => Control::Free,
                    _ => Control::Exclusive(Pid(numbers.below(255) as u8)),
                },
                levels: 1 + numbers.below(2) as u64,
                rest: match numbers.below(300) {
                    200.. => Rest::More,
                    credit => Rest::Known(credit as u64),
                },
            };
            path.push(link, &parent, &child);
            vectors.push(child);
            links.push(link);
        }
        let rows: Vec<u32> = links.iter().map(|link| link.row).collect();
        assert!(matches!(path.rows(), Ok(r) if r == rows));
        let Some(mut vector) = vectors.pop() else {
            return;
        };
        while let Ok(Some(link)) = path.pop(&mut vector) {
            assert_eq!(Some(link), links.pop());
            assert_eq!(Some(&vector), vectors.last());
            vectors.pop();
        }
        assert!(vectors.is_empty() && links.is_empty() && path.len() == 0);
    }

    #[test]
    fn a_short_cycle_is_found_some_time() {
        let owner = Control::Exclusive(Pid(3));
        let link = |control| Link {
            row: 0,
            control,
            levels: 1,
            rest: Rest::Known(0),
        };
        let mut path = Path::new(usize::MAX);
        path.push(link(Control::Free), b"x", &[0]);
        let mut found = Vec::new();
        for n in 1..10_000_u64 {
            let (last, next) = ([n as u8 % 7], [(n + 1) as u8 % 7]);
            if matches!(path.repeats(&next, owner, (&last, owner)), Ok(true)) {
                found.push(path.len() + 1);
            }
            path.push(link(owner), &last, &next);
        }
        assert_eq!(found, [4096, 8192]);
    }
}
