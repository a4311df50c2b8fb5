//! States as words.

/// How states of a length are cut into words of equal length.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    bytes: usize,
    mask: u64,
}

impl Cut {
    #[inline(always)]
    pub(super) fn new(len: usize, width: usize) -> Cut {
        let bytes = len.div_ceil(width).max(1);
        Cut {
            bytes,
            mask: u64::MAX >> (64 - 8 * bytes),
        }
    }

    /// Word `i` of a state, filled up with 0.
    #[inline(always)]
    pub(super) fn word(self, state: &[u8], i: usize) -> u64 {
        let from = state.len().min(self.bytes * i);
        let rest = &state[from..];
        match rest.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes) & self.mask,
            None => {
                let mut word = [0; 8];
                word[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(word) & self.mask
            }
        }
    }
}
