//! The difference of two vectors of the same length, word by word.
//!
//! Not as short as a [`crate::delta`], but written and read in few instructions: a bit for each
//! word of 8 bytes, then the words that differ. The last word overlaps with the one before it
//! unless the length is a multiple of 8. There are 8 bits, or 64 if there are more words.

/// A word.
type Word = [u8; WORD];
const WORD: usize = 8;

/// The shortest and the longest vectors that fit.
const SHORTEST: usize = WORD;
const LONGEST: usize = 64 * WORD;
/// The longest vectors with 8 words.
const SHORT: usize = 8 * WORD;

/// Whether the difference of two vectors can be written so.
#[inline(always)]
pub(crate) fn fit(from: &[u8], to: &[u8]) -> bool {
    from.len() == to.len() && (SHORTEST..=LONGEST).contains(&to.len())
}

/// Append to `out` how to turn `from` into `to`, and do it. They fit.
#[inline]
pub(crate) fn push(from: &mut [u8], to: &[u8], out: &mut Vec<u8>) {
    let at = out.len();
    match to.len() {
        ..=SHORT => out.push(0),
        _ => out.extend_from_slice(&[0; 8]),
    }
    let mut bits = 0;
    let words = from.as_chunks_mut().0.iter_mut().zip(to.as_chunks().0);
    for (number, (old, new)) in words.enumerate() {
        bits |= push_word(old, new, out) << (number % 64);
    }
    if !to.len().is_multiple_of(WORD)
        && let (Some(old), Some(new)) = (from.last_chunk_mut(), to.last_chunk())
    {
        bits |= push_word(old, new, out) << (to.len() / WORD % 64);
    }
    match to.len() {
        ..=SHORT => out[at] = bits as u8,
        _ => out[at..at + 8].copy_from_slice(&bits.to_le_bytes()),
    }
}

/// Append a word if it differs. Returns whether it does.
#[inline(always)]
fn push_word(old: &mut Word, new: &Word, out: &mut Vec<u8>) -> u64 {
    if old == new {
        return 0;
    }
    out.extend_from_slice(new);
    *old = *new;
    1
}

/// Change a vector as the bytes say that [`push`] wrote. Returns what is behind them.
#[inline]
pub(crate) fn apply<'a>(bytes: &'a [u8], vector: &mut [u8]) -> &'a [u8] {
    let (mut bits, mut rest) = match vector.len() {
        ..=SHORT => bytes
            .split_first()
            .map_or((0, bytes), |(&bits, rest)| (u64::from(bits), rest)),
        _ => bytes
            .split_first_chunk()
            .map_or((0, bytes), |(bits, rest)| (u64::from_le_bytes(*bits), rest)),
    };
    let last = vector.len() - WORD;
    while bits != 0
        && let Some((word, behind)) = rest.split_first_chunk::<WORD>()
    {
        let at = (bits.trailing_zeros() as usize * WORD).min(last);
        vector[at..at + WORD].copy_from_slice(word);
        bits &= bits - 1;
        rest = behind;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn vectors_come_back() {
        let mut numbers = Numbers::new(5);
        for len in SHORTEST..=LONGEST {
            let mut vector = vec![0; len];
            let (mut last, mut again, mut out) = (vector.clone(), vector.clone(), Vec::new());
            let mut history = Vec::new();
            for _ in 0..20 {
                for _ in 0..numbers.below(4) {
                    vector[numbers.below(len)] = numbers.below(256) as u8;
                }
                assert!(fit(&last, &vector));
                push(&mut last, &vector, &mut out);
                assert_eq!(last, vector);
                history.push(vector.clone());
            }
            let mut rest = &out[..];
            for expected in history {
                rest = apply(rest, &mut again);
                assert_eq!(again, expected);
            }
            assert!(rest.is_empty());
        }
    }
}
