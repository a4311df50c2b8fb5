//! Parts of state vectors, and which of them a process has to do with.

use std::ops::Range;

/// A set of parts, as bits.
pub type PartSet = u128;

/// How vectors with the same processes fall into parts, such that what a process does depends
/// on few of them.
///
/// Every byte belongs to exactly one part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The length of the vectors.
    pub len: usize,
    /// For each part, where its bytes lie. There are at most 128.
    pub bytes: Vec<Vec<Range<usize>>>,
    /// The processes, by pid.
    pub processes: Vec<Mover>,
    /// Bytes that all this rests on, each with the values that it may have.
    pub premises: Vec<(usize, [u8; 2])>,
}

/// A process, as far as it is the same in all vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mover {
    /// The part that holds its frame, and nothing else.
    pub part: usize,
    /// The bytes of its head, one or two, which tell what it can do.
    pub head: Range<usize>,
    /// Its first head.
    pub base: usize,
    /// For each head from the first on, the parts that decide which moves the process can make
    /// when nobody waits for a timeout, and where these lead. A move, which is a step or an
    /// atomic sequence as a whole, changes nothing else. None where that cannot be told.
    pub needs: Vec<Option<PartSet>>,
}

impl Mover {
    /// What it needs in a vector; `None` also if it cannot have such a head.
    #[inline]
    pub fn needs_in(&self, vector: &[u8]) -> Option<PartSet> {
        *self.needs.get(self.row_in(vector)?)?
    }

    /// The row of its head in a vector, if it can have such a head.
    fn row_in(&self, vector: &[u8]) -> Option<usize> {
        let head = (vector.get(self.head.clone())?.iter().rev())
            .fold(0, |head, &byte| head << 8 | usize::from(byte));
        let row = head.checked_sub(self.base)?;
        (row < self.needs.len()).then_some(row)
    }
}

impl Parts {
    /// Whether a vector has these processes.
    pub fn fits(&self, vector: &[u8]) -> bool {
        vector.len() == self.len
            && (self.processes.iter()).all(|process| process.row_in(vector).is_some())
            && (self.premises.iter()).all(|(at, values)| values.contains(&vector[*at]))
    }
}
