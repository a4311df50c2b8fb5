//! Zeroed memory from the system, in huge pages where it gives them.
//!
//! A random access to gigabytes misses the cache of address translations each time; pages of
//! 2 MiB make that miss rare and cheap. But the first touch of such a page fills all of it
//! with zeros, so the front of a small store stays in small pages.

use memmap2::{MmapMut, MmapOptions};

/// The size of a huge page, here and on most systems.
pub(crate) const HUGE: usize = 1 << 21;

/// Zeroed memory; what is behind the first `small` bytes may come in huge pages. Nothing is
/// taken from the system before it is touched.
///
/// # Panics
///
/// If the system has no room for it.
pub(crate) fn zeroed(bytes: usize, small: usize) -> MmapMut {
    let map = (MmapOptions::new().len(bytes).no_reserve_swap())
        .map_anon()
        .unwrap_or_else(|error| panic!("no memory for another {bytes} bytes: {error}"));
    #[cfg(target_os = "linux")]
    if small < bytes {
        // A wish; without it the pages are small and everything still works.
        let _ = map.advise_range(memmap2::Advice::HugePage, small, bytes - small);
    }
    map
}

/// The bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// A cache line.
pub(crate) type Line = [u8; LINE];

const CHUNK_BITS: u32 = 19;
const CHUNK_LINES: usize = 1 << CHUNK_BITS;

/// Cache lines by number, zeroed, in chunks of 32 MiB that never move.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    chunks: Vec<MmapMut>,
}

impl Lines {
    /// See to it that the lines below a number exist.
    pub(crate) fn reserve(&mut self, lines: usize) {
        while self.chunks.len() * CHUNK_LINES < lines {
            let small = if self.chunks.is_empty() { HUGE } else { 0 };
            self.chunks.push(zeroed(CHUNK_LINES * LINE, small));
        }
    }

    /// A line below the number reserved.
    #[inline]
    pub(crate) fn get(&self, line: usize) -> &Line {
        &self.chunks[line >> CHUNK_BITS].as_chunks().0[line & (CHUNK_LINES - 1)]
    }

    /// A line below the number reserved, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, line: usize) -> &mut Line {
        &mut self.chunks[line >> CHUNK_BITS].as_chunks_mut().0[line & (CHUNK_LINES - 1)]
    }

    /// Whether there is not a single line.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }
}
