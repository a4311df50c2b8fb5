//! Zeroed memory from the system, in huge pages where it gives them.
//!
//! A random access to gigabytes misses the cache of address translations each time; pages of
//! 2 MiB make that miss rare and cheap. But the first touch of such a page fills all of it
//! with zeros, which takes long where the system has to find the memory first: in a virtual
//! machine, or if memory is in pieces. So the front of a store stays in small pages, as far as
//! the table of these, 8 bytes for each, stays in the cache of the processor.

use memmap2::{MmapMut, MmapOptions};

/// So much memory that grows comes in small pages before there are huge ones.
const SMALL_PAGES: usize = 1 << 30;

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

/// Address space for what can grow: more than any machine of today has memory for.
const ROOM: usize = 1 << 40;

/// The least address space to go on with.
const LEAST_ROOM: usize = 1 << 28;

/// Zeroed memory that grows in place: address space is taken for all that may come, memory
/// only when it is touched.
#[derive(Debug)]
pub(crate) struct Growing {
    map: MmapMut,
}

impl Growing {
    /// As much address space as the system gives, the front in small pages.
    ///
    /// # Panics
    ///
    /// If the system gives next to nothing.
    pub(crate) fn new() -> Growing {
        let mut room = ROOM;
        loop {
            match (MmapOptions::new().len(room).no_reserve_swap()).map_anon() {
                Ok(map) => {
                    #[cfg(target_os = "linux")]
                    if room > SMALL_PAGES {
                        // A wish; without it the pages are small and everything still works.
                        let huge = room - SMALL_PAGES;
                        let _ = map.advise_range(memmap2::Advice::HugePage, SMALL_PAGES, huge);
                    }
                    return Growing { map };
                }
                Err(error) if room <= LEAST_ROOM => panic!("no memory for states: {error}"),
                Err(_) => room /= 2,
            }
        }
    }

    /// All bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// All bytes, to be changed.
    #[inline(always)]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }

    /// See to it that there are so many bytes.
    ///
    /// # Panics
    ///
    /// If the address space is used up.
    #[inline(always)]
    pub(crate) fn reserve(&self, bytes: usize) {
        assert!(bytes <= self.map.len(), "no address space for more states");
    }
}

/// Cache lines by number, zeroed, that never move.
#[derive(Debug)]
pub(crate) struct Lines(Growing);

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines(Growing::new())
    }

    /// See to it that the lines below a number exist.
    pub(crate) fn reserve(&mut self, lines: usize) {
        self.0.reserve(lines * LINE);
    }

    /// A line below the number reserved.
    #[inline(always)]
    pub(crate) fn get(&self, line: usize) -> &Line {
        &self.0.bytes().as_chunks().0[line]
    }

    /// A line below the number reserved, to be changed.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, line: usize) -> &mut Line {
        &mut self.0.bytes_mut().as_chunks_mut().0[line]
    }
}
