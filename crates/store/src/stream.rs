//! Numbers in streams, for saving and restoring.

use std::io::{self, Read, Write};

pub(crate) fn put(out: &mut dyn Write, n: u64) -> io::Result<()> {
    out.write_all(&n.to_le_bytes())
}

pub(crate) fn take(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Fails unless the next number is this one.
pub(crate) fn expect(input: &mut dyn Read, n: u64, what: &str) -> io::Result<()> {
    let found = take(input)?;
    if found == n {
        Ok(())
    } else {
        Err(damaged(&format!("{what} is {found}, not {n}")))
    }
}

/// What was read cannot have been written.
pub(crate) fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
