//! The one thing of this crate that the language has no safe word for.

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
