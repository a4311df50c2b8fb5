//! A stack of byte strings that may grow beyond the memory.
//!
//! The strings lie one behind the other in chunks, each followed by its length, so that they
//! can be read from the top downwards. When the chunks in memory exceed a limit, the oldest
//! ones go to a temporary file and come back when the stack has shrunk to them.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::varint;

/// A new chunk begins when the last one is this long.
const CHUNK: usize = 1 << 20;
/// Room for the record that makes a chunk full.
const SLACK: usize = 1 << 10;

/// The stack.
///
/// Invariant: the records are those of the spilled chunks, then those of `chunks`. No chunk
/// is empty except perhaps the only one.
#[derive(Debug)]
pub(crate) struct Records {
    chunks: Vec<Vec<u8>>,
    /// The chunk that became empty last, to be used again.
    spare: Option<Vec<u8>>,
    spill: Option<Spill>,
    /// How many chunks may stay in memory.
    limit: usize,
    /// The memory of all chunks, now and at its greatest.
    memory: usize,
    peak: usize,
}

impl Records {
    /// An empty stack that keeps no more than about so many bytes in memory.
    pub(crate) fn new(limit: usize) -> Records {
        Records {
            chunks: vec![Vec::new()],
            spare: None,
            spill: None,
            limit: (limit / CHUNK).max(4),
            memory: 0,
            peak: 0,
        }
    }

    /// Push what `write` appends.
    #[inline]
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.chunks.last().is_none_or(|chunk| chunk.len() >= CHUNK) {
            self.begin_chunk();
        }
        if let Some(chunk) = self.chunks.last_mut() {
            let start = chunk.len();
            let capacity = chunk.capacity();
            write(chunk);
            varint::push_back(chunk, (chunk.len() - start) as u64);
            let grown = chunk.capacity() - capacity;
            self.memory += grown;
            self.peak = self.peak.max(self.memory);
        }
    }

    /// Take the top off, after `read` has seen it.
    #[inline]
    pub(crate) fn pop<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> io::Result<Option<R>> {
        if self.chunks.last().is_none_or(Vec::is_empty) && !self.end_chunk()? {
            return Ok(None);
        }
        let Some(chunk) = self.chunks.last_mut() else {
            return Ok(None);
        };
        let mut bytes = &chunk[..];
        let len = varint::take_back(&mut bytes) as usize;
        let start = bytes.len() - len;
        let result = read(&bytes[start..]);
        chunk.truncate(start);
        Ok(Some(result))
    }

    /// See the records from the top downwards.
    pub(crate) fn look_down(
        &self,
        mut see: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        for chunk in self.chunks.iter().rev() {
            if look_down(chunk, &mut see).is_break() {
                return Ok(());
            }
        }
        let Some(spill) = &self.spill else {
            return Ok(());
        };
        let mut chunk = Vec::new();
        for number in (0..spill.ends.len()).rev() {
            spill.read(number, &mut chunk)?;
            if look_down(&chunk, &mut see).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The memory in use.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory
    }

    /// The most memory that was ever in use.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.peak
    }

    #[cold]
    fn begin_chunk(&mut self) {
        if self.chunks.len() >= self.limit {
            self.spill_oldest();
        }
        let chunk = self.spare.take().unwrap_or_else(|| {
            self.memory += CHUNK + SLACK;
            Vec::with_capacity(CHUNK + SLACK)
        });
        self.chunks.push(chunk);
        self.peak = self.peak.max(self.memory);
    }

    /// Write half of the chunks to the file. Where that fails they stay, and the limit does
    /// not hold any longer: the limit of memory ends the search some time.
    fn spill_oldest(&mut self) {
        let half = self.chunks.len() / 2;
        let spilled = Spill::of(&mut self.spill)
            .and_then(|spill| (self.chunks[..half].iter()).try_for_each(|c| spill.write(c)));
        match spilled {
            Ok(()) => {
                for chunk in self.chunks.drain(..half) {
                    self.memory -= chunk.capacity();
                }
            }
            Err(_) => self.limit = usize::MAX,
        }
    }

    /// Drop the empty chunk at the top. Whether there is another one.
    #[cold]
    fn end_chunk(&mut self) -> io::Result<bool> {
        if self.chunks.len() > 1 {
            if let Some(chunk) = self.chunks.pop() {
                let old = self.spare.replace(chunk);
                self.memory -= old.map_or(0, |old| old.capacity());
            }
            return Ok(true);
        }
        match &mut self.spill {
            Some(spill) if !spill.ends.is_empty() => {
                if self.chunks.is_empty() {
                    self.chunks.push(Vec::new());
                }
                let chunk = &mut self.chunks[0];
                let capacity = chunk.capacity();
                spill.take_back(chunk)?;
                self.memory += chunk.capacity() - capacity;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// See the records of a chunk from its end.
fn look_down(chunk: &[u8], see: &mut impl FnMut(&[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut bytes = chunk;
    while !bytes.is_empty() {
        let len = varint::take_back(&mut bytes) as usize;
        let (below, record) = bytes.split_at(bytes.len() - len);
        see(record)?;
        bytes = below;
    }
    ControlFlow::Continue(())
}

/// The chunks in the file, one behind the other.
#[derive(Debug)]
struct Spill {
    file: File,
    path: PathBuf,
    /// Where each chunk ends.
    ends: Vec<u64>,
}

impl Spill {
    /// The spill, made when it is needed.
    fn of(spill: &mut Option<Spill>) -> io::Result<&mut Spill> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if spill.is_none() {
            // Relaxed: only that no two get the same number matters.
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("spinor-stack-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&path)?;
            *spill = Some(Spill {
                file,
                path,
                ends: Vec::new(),
            });
        }
        spill.as_mut().ok_or(io::ErrorKind::NotFound.into())
    }

    fn start_of(&self, number: usize) -> u64 {
        number.checked_sub(1).map_or(0, |below| self.ends[below])
    }

    fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        let start = self.start_of(self.ends.len());
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(chunk)?;
        self.ends.push(start + chunk.len() as u64);
        Ok(())
    }

    fn read(&self, number: usize, chunk: &mut Vec<u8>) -> io::Result<()> {
        let start = self.start_of(number);
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        chunk.clear();
        chunk.resize((self.ends[number] - start) as usize, 0);
        file.read_exact(chunk)
    }

    /// Read the last chunk and forget it.
    fn take_back(&mut self, chunk: &mut Vec<u8>) -> io::Result<()> {
        if let Some(last) = self.ends.len().checked_sub(1) {
            self.read(last, chunk)?;
            self.ends.pop();
        }
        Ok(())
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        // Nothing can be done about a file that does not go away.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_in_memory_and_from_the_file() {
        for limit in [usize::MAX, 0] {
            let mut records = Records::new(limit);
            let record = |n: u32| n.to_le_bytes().repeat(1 + n as usize % 40);
            for round in 0..2 {
                for n in 0..300_000 {
                    records.push(|out| out.extend_from_slice(&record(n)));
                }
                assert_eq!(records.spill.is_some(), limit == 0);
                let mut n = 300_000;
                let seen = records.look_down(|bytes| {
                    n -= 1;
                    assert_eq!(bytes, record(n));
                    ControlFlow::Continue(())
                });
                assert!(seen.is_ok() && n == 0);
                let rest = 1000 * (1 - round);
                for n in (rest..300_000).rev() {
                    let same = records.pop(|bytes| bytes == record(n));
                    assert!(matches!(same, Ok(Some(true))), "{n}");
                }
                for n in (0..rest).rev() {
                    let same = records.pop(|bytes| bytes == record(n));
                    assert!(matches!(same, Ok(Some(true))), "{n}");
                }
                assert!(matches!(records.pop(|_| ()), Ok(None)));
                assert!(records.memory_bytes() <= records.peak_bytes());
            }
            if limit == 0 {
                assert!(records.peak_bytes() < 7 * CHUNK);
            }
        }
    }
}
