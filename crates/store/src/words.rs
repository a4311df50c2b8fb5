//! Comparing, copying and hashing short strings, word by word and without calls.
//!
//! Most states have 8 to 128 bytes, and all states of a run the same length or nearly so. For
//! each number of words there is code of its own, without a loop: the branch that chooses it
//! is always guessed right, while the end of a loop is not.

/// A word of 8 bytes.
type Word = [u8; 8];

/// The words of a string up to the last one, and the last one, which overlaps with them unless
/// the length is a multiple of 8.
#[inline(always)]
fn parts<const N: usize>(bytes: &[u8]) -> Option<(&[Word; N], &Word)> {
    Some((bytes.as_chunks().0.first_chunk()?, bytes.last_chunk()?))
}

/// Choose the code for the number of words of strings of a length: `$short::<N>` for `N` words
/// before the last one, or `$other`.
macro_rules! by_length {
    ($len:expr, $short:ident($($argument:expr),*), $other:expr) => {
        match $len.wrapping_sub(1) / 8 {
            1 => $short::<1>($($argument),*),
            2 => $short::<2>($($argument),*),
            3 => $short::<3>($($argument),*),
            4 => $short::<4>($($argument),*),
            5 => $short::<5>($($argument),*),
            6 => $short::<6>($($argument),*),
            7 => $short::<7>($($argument),*),
            _ => $other,
        }
    };
}

/// Whether two strings of the same length are equal.
#[inline(always)]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    #[inline(always)]
    fn short<const N: usize>(a: &[u8], b: &[u8]) -> bool {
        let (Some((a, a_last)), Some((b, b_last))) = (parts::<N>(a), parts::<N>(b)) else {
            return false;
        };
        let differ = |(a, b): (&Word, &Word)| u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        let last = differ((a_last, b_last));
        a.iter().zip(b).map(differ).fold(last, |all, one| all | one) == 0
    }
    by_length!(b.len(), short(a, b), a == b)
}

/// Copy a string over one of the same length.
#[inline(always)]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    #[inline(always)]
    fn short<const N: usize>(to: &mut [u8], from: &[u8]) {
        if let Some((words, last)) = parts::<N>(from) {
            if let Some(to) = to.as_chunks_mut().0.first_chunk_mut() {
                *to = *words;
            }
            if let Some(to) = to.last_chunk_mut() {
                *to = *last;
            }
        }
    }
    by_length!(from.len(), short(to, from), to.copy_from_slice(from));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lengths() {
        for len in 0..200 {
            let string: Vec<u8> = (0..len).map(|n| n as u8).collect();
            let mut other = vec![0xff; len];
            copy(&mut other, &string);
            assert_eq!(other, string);
            assert!(same(&other, &string));
            for at in 0..len {
                other[at] ^= 1;
                assert!(!same(&other, &string), "byte {at} of {len}");
                other[at] ^= 1;
            }
        }
    }
}
