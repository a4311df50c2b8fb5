//! Numbers and strings in a file.

use std::io::{self, Read, Write};

/// Write a number.
pub(crate) fn put(out: &mut (impl Write + ?Sized), mut number: u64) -> io::Result<()> {
    let mut bytes = [0; 10];
    let mut len = 0;
    loop {
        bytes[len] = number as u8 & 0x7f;
        number >>= 7;
        if number == 0 {
            return out.write_all(&bytes[..=len]);
        }
        bytes[len] |= 0x80;
        len += 1;
    }
}

/// Read a number.
pub(crate) fn get(input: &mut (impl Read + ?Sized)) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        number |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

/// Write a string of bytes.
pub(crate) fn put_bytes(out: &mut (impl Write + ?Sized), bytes: &[u8]) -> io::Result<()> {
    put(out, bytes.len() as u64)?;
    out.write_all(bytes)
}

/// Read a string of bytes.
pub(crate) fn get_bytes(input: &mut (impl Read + ?Sized)) -> io::Result<Vec<u8>> {
    let len = get(input)?;
    let mut bytes = Vec::new();
    // Not allocated at once: the length may be wrong.
    if io::copy(&mut input.take(len), &mut bytes)? < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}
