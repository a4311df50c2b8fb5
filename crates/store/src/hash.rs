//! Hashes of states and of numbers.

use rapidhash::v3::{DEFAULT_RAPID_SECRETS, RapidSecrets, rapidhash_v3_inline};

/// The hash of a state: the same on every run and every machine, so that a run repeats byte
/// for byte.
#[inline]
pub(crate) fn hash(state: &[u8]) -> u64 {
    seeded(state, &DEFAULT_RAPID_SECRETS)
}

/// One of many hashes of a state.
#[inline]
pub(crate) fn seeded(state: &[u8], secrets: &RapidSecrets) -> u64 {
    rapidhash_v3_inline::<true, false, false>(state, secrets)
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
