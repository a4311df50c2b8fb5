//! The few things of this crate that the language has no safe words for.

/// Ask for the cache line at the front of these bytes, and go on at once.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing and faults at no address, and this one is of a
        // reference besides.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// Which of eight numbers of 32 bits, little-endian, agree with another one where `mask` is
/// 1, as a set of bits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn equal(numbers: &[u8; 32], wanted: u32, mask: u32) -> u32 {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps,
        _mm_set1_epi32,
    };
    // SAFETY: both halves lie in `numbers`, and every x86-64 has these instructions.
    unsafe {
        let (wanted, mask) = (
            _mm_set1_epi32((wanted & mask) as i32),
            _mm_set1_epi32(mask as i32),
        );
        let half = |at: usize| {
            let numbers = _mm_loadu_si128(numbers.as_ptr().add(at).cast());
            let equal = _mm_cmpeq_epi32(_mm_and_si128(numbers, mask), wanted);
            _mm_movemask_ps(_mm_castsi128_ps(equal)) as u32
        };
        half(0) | half(16) << 4
    }
}

/// The same, number by number.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn equal(numbers: &[u8; 32], wanted: u32, mask: u32) -> u32 {
    let mut found = 0;
    for (row, number) in numbers.as_chunks::<4>().0.iter().enumerate() {
        let same = (u32::from_le_bytes(*number) ^ wanted) & mask == 0;
        found |= u32::from(same) << row;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_are_found() {
        let mut numbers = [0; 32];
        for row in 0..8 {
            numbers[4 * row] = row as u8;
            numbers[4 * row + 3] = 7 - row as u8 % 3;
        }
        let number = |row: usize| {
            u32::from_le_bytes(numbers[4 * row..][..4].try_into().expect("four bytes"))
        };
        for mask in [u32::MAX, 0xffff_ff00, 0xff, 0] {
            for wanted in (0..8).map(number).chain([9]) {
                let naive = (0..8).filter(|&row| (number(row) ^ wanted) & mask == 0);
                let naive = naive.fold(0, |set, row| set | 1 << row);
                assert_eq!(equal(&numbers, wanted, mask), naive);
            }
        }
    }
}
