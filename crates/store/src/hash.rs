//! Hashes of states and of numbers.

use rapidhash::v3::{DEFAULT_RAPID_SECRETS, RapidSecrets, rapidhash_v3_inline};

/// The hash of a state: the same on every run and every machine, so that a run repeats byte
/// for byte.
#[inline]
pub fn hash(state: &[u8]) -> u64 {
    match state.len() {
        8 => folded_word(state, SEED),
        16..=96 => folded(state, SEED),
        _ => rapidhash_v3_inline::<true, false, false>(state, &DEFAULT_RAPID_SECRETS),
    }
}

/// One of many hashes of a state.
#[inline]
pub(crate) fn seeded(state: &[u8], secrets: &RapidSecrets, rng_seed: u64) -> u64 {
    match state.len() {
        8 => folded_word(state, SEED ^ mix(rng_seed)),
        16..=96 => folded(state, SEED ^ mix(rng_seed)),
        _ => rapidhash_v3_inline::<true, false, false>(state, secrets),
    }
}

/// The fractions of the golden ratio and of the square roots of 3 and 5: odd, without a pattern.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FIRST: u64 = 0xbb67_ae85_84ca_a73b;
const LAST: u64 = 0x3c6e_f372_fe94_f82b;

/// The hash of 16 bytes or more.
///
/// Follows: wyhash and rapidhash: words are multiplied with each other to twice their width,
/// and the halves folded. Short states, which most are, need a product per 16 bytes, and the
/// loop is small enough to stand where it is needed.
#[inline(always)]
fn folded(state: &[u8], seed: u64) -> u64 {
    // Spread, so that a length more is not undone by a bit less in the words that follow.
    let mut hash = seed ^ (state.len() as u64).wrapping_mul(LAST);
    let Some((before, last)) = state.split_last_chunk::<16>() else {
        return hash;
    };
    // Pieces of 16 bytes up to the last one, which overlaps with them.
    for piece in state[..before.len().next_multiple_of(16)]
        .as_chunks::<16>()
        .0
    {
        let (low, high) = words(piece);
        hash = fold(low ^ FIRST, high ^ hash);
    }
    let (low, high) = words(last);
    let rest = fold(low ^ LAST, high ^ hash);
    fold(rest ^ hash, FIRST)
}

/// The hash of 8 bytes.
#[inline(always)]
fn folded_word(state: &[u8], seed: u64) -> u64 {
    let word = state
        .first_chunk()
        .map_or(0, |word| u64::from_le_bytes(*word));
    fold(fold(word ^ FIRST, seed) ^ word, LAST)
}

/// The two words of a piece.
#[inline(always)]
fn words(piece: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*piece);
    (both as u64, (both >> 64) as u64)
}

/// The product of two numbers, its halves folded.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A permutation of the numbers that spreads them. It maps 0 to 0 and no other number.
///
/// Follows: the finalizer of MurmurHash3: each step, an exclusive or with the upper bits or a
/// product with an odd number, has an inverse.
#[inline]
pub(crate) fn mix(mut n: u64) -> u64 {
    n ^= n >> 33;
    n = n.wrapping_mul(0xff51_afd7_ed55_8ccd);
    n ^= n >> 33;
    n = n.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    n ^ n >> 33
}

/// A permutation of the numbers of 62 bits, made like [`mix`].
#[inline]
pub(crate) fn mix_62(mut n: u64) -> u64 {
    const MASK: u64 = (1 << 62) - 1;
    debug_assert!(n <= MASK);
    n ^= n >> 31;
    n = n.wrapping_mul(0xff51_afd7_ed55_8ccd) & MASK;
    n ^= n >> 31;
    n = n.wrapping_mul(0xc4ce_b9fe_1a85_ec53) & MASK;
    n ^ n >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An odd number times this is 1, modulo 2^64.
    fn inverse(n: u64) -> u64 {
        // Each round doubles the number of lower bits that are right.
        (0..6).fold(n, |x, _| {
            x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)))
        })
    }

    /// States of zeros and a few ones, of all lengths, have hashes of their own.
    #[test]
    fn short_differences_do_not_cancel() {
        let mut hashes = std::collections::HashSet::new();
        let mut count = 0;
        for len in 16..=96 {
            for first in 0..len {
                for second in first..len {
                    for value in [1, 3] {
                        let mut state = vec![0_u8; len];
                        state[first] = 1;
                        state[second] ^= value;
                        count += usize::from(hashes.insert((hash(&state), state)));
                    }
                }
            }
        }
        let values: std::collections::HashSet<u64> = hashes.iter().map(|(hash, _)| *hash).collect();
        assert_eq!(values.len(), count);
    }

    #[test]
    fn mixing_can_be_undone() {
        const MASK: u64 = (1 << 62) - 1;
        for i in 0..10_000u64 {
            let n = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 60) & MASK;
            let mut m = mix_62(n);
            for factor in [0xc4ce_b9fe_1a85_ec53, 0xff51_afd7_ed55_8ccd] {
                m ^= m >> 31;
                m = m.wrapping_mul(inverse(factor)) & MASK;
            }
            assert_eq!(m ^ m >> 31, n);
        }
    }
}
