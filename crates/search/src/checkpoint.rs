//! Checkpoints: saved searches, which can be resumed.
//!
//! A file begins with a magic word, a version, the kind of search and the caller's
//! fingerprint; then come the statistics, where the search stands, and the states of the
//! store; an end mark tells a whole file from a torn one. Files are written beside their
//! place and moved there.
//!
//! A depth-first search stands at a node that it has just entered: the numbers of the rows
//! that lead there say it all. What was pending is found again by expanding the nodes of the
//! path when the search comes back to them.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path as FilePath;

use space::NextState;

use crate::Checkpoint;
use crate::accounting::Accounting;
use crate::depth_first::{DepthFirst, Policy, Position};
use crate::path::{Link, Rest};
use crate::replay::Replay;

mod accounting;
pub(crate) mod wire;

use wire::{get, put};

const MAGIC: &[u8; 8] = b"spinor\0d";
const VERSION: u64 = 3;
const END: u64 = 0x0065_6e64;

/// Which search wrote a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchKind {
    DepthFirst = 1,
    BreadthFirst = 2,
}

/// Why a search cannot be resumed.
#[derive(Debug)]
pub enum ResumeError {
    /// The file cannot be read, or the store cannot take it.
    Io(io::Error),
    /// It is not a checkpoint of this version.
    NotACheckpoint,
    /// It is one of another kind of search.
    OtherSearch,
    /// It is one of another model or of other options.
    OtherModel,
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResumeError::Io(error) => write!(f, "cannot read the checkpoint: {error}"),
            ResumeError::NotACheckpoint => f.write_str(
                "not a checkpoint, or one of another \
                                                        version of spinor",
            ),
            ResumeError::OtherSearch => f.write_str(
                "the checkpoint belongs to another kind of \
                                                     search",
            ),
            ResumeError::OtherModel => {
                f.write_str("the checkpoint belongs to another model or other options")
            }
        }
    }
}

impl std::error::Error for ResumeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ResumeError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ResumeError {
    fn from(error: io::Error) -> ResumeError {
        ResumeError::Io(error)
    }
}

/// Write a file: header, accounting, what `body` writes, end mark.
pub(crate) fn write(
    kind: SearchKind,
    accounting: &Accounting<'_>,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let Some(checkpoint) = accounting.config.checkpoint else {
        return Ok(());
    };
    let mut part = checkpoint.path.as_os_str().to_owned();
    part.push(".part");
    let mut out = BufWriter::new(File::create(&part)?);
    out.write_all(MAGIC)?;
    for number in [VERSION, kind as u64, checkpoint.fingerprint] {
        put(&mut out, number)?;
    }
    accounting::write(accounting, &mut out)?;
    body(&mut out)?;
    put(&mut out, END)?;
    out.into_inner()?.sync_all()?;
    std::fs::rename(&part, checkpoint.path)
}

/// Read a file as [`write()`] wrote it.
pub(crate) fn read(
    kind: SearchKind,
    from: &Checkpoint<'_>,
    accounting: &mut Accounting<'_>,
    body: impl FnOnce(&mut dyn Read) -> Result<(), ResumeError>,
) -> Result<(), ResumeError> {
    let mut input = open(from.path)?;
    if get(&mut input)? != VERSION {
        return Err(ResumeError::NotACheckpoint);
    }
    if get(&mut input)? != kind as u64 {
        return Err(ResumeError::OtherSearch);
    }
    if get(&mut input)? != from.fingerprint {
        return Err(ResumeError::OtherModel);
    }
    accounting::read(accounting, &mut input)?;
    body(&mut input)?;
    match get(&mut input)? {
        END => Ok(()),
        _ => Err(ResumeError::NotACheckpoint),
    }
}

fn open(path: &FilePath) -> Result<BufReader<File>, ResumeError> {
    let mut input = BufReader::new(File::open(path)?);
    let mut magic = [0; MAGIC.len()];
    match input.read_exact(&mut magic) {
        Ok(()) if &magic == MAGIC => Ok(input),
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(error.into()),
        _ => Err(ResumeError::NotACheckpoint),
    }
}

/// Write down a depth-first search that has just entered a node.
pub(crate) fn write_depth_first<P: Policy>(position: &Position<'_, P>) -> io::Result<()> {
    write(SearchKind::DepthFirst, &position.accounting, |out| {
        put(out, position.path.len())?;
        let rows = position.path.rows()?;
        rows.iter().try_for_each(|&row| put(out, u64::from(row)))?;
        position.policy.save(out)
    })
}

/// Bring a depth-first search to where it was. `restore` reads the states of the store.
pub(crate) fn read_depth_first<M: NextState, P: Policy>(
    search: &mut DepthFirst<'_, M, P>,
    from: &Checkpoint<'_>,
    restore: impl FnOnce(&mut P, &mut dyn Read) -> io::Result<()>,
) -> Result<(), ResumeError> {
    let DepthFirst {
        model,
        position,
        order,
        ..
    } = search;
    let Position {
        policy,
        accounting,
        path,
        control,
        level,
        ..
    } = position;
    read(SearchKind::DepthFirst, from, accounting, |input| {
        let mut replay: Replay<'_, M> = Replay::new(model, *order);
        path.begin(&replay.vector);
        for _ in 0..get(input)? {
            let number = get(input)? as u32;
            let taken = replay.take(number, |_, control, row, child| {
                let link = Link {
                    row: number,
                    control,
                    chain: 0,
                    levels: row.levels(),
                    rest: Rest::More,
                };
                path.push(link, child);
                *level += link.levels;
            });
            taken.ok_or(ResumeError::OtherModel)?;
        }
        *control = replay.control;
        restore(policy, input)?;
        Ok(())
    })
}

#[cfg(test)]
mod tests;
