//! What compiled code and the driver share.

use space::Row;

use crate::driver::Driver;

/// The most fields of a message that compiled code hands over.
pub(crate) const MOST_FIELDS: usize = 64;

/// A compiled function was interrupted: something happened that only the interpreter
/// handles. What it wrote is to be forgotten.
pub(crate) const BAIL: i32 = 2;

/// A channel of the node under way.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Channel {
    /// Where its contents begin in the vector.
    pub(crate) offset: u32,
    /// Its type.
    pub(crate) ty: u32,
}

/// The node being expanded, and where its steps go. Compiled code knows these offsets.
#[repr(C)]
pub(crate) struct Context {
    /// The vector, with [`crate::driver::SLACK`] bytes behind it.
    pub(crate) state: *const u8,
    /// The bytes of the successors.
    pub(crate) out: *mut u8,
    /// Where in them the next successor goes.
    pub(crate) out_at: u64,
    /// Where the next row goes.
    pub(crate) rows: *mut Row,
    /// Where the room for rows and for bytes ends.
    pub(crate) rows_end: *mut Row,
    pub(crate) out_end: u64,
    /// Where the first row went.
    pub(crate) rows_start: *mut Row,
    /// Where the output of the process under way began.
    pub(crate) first_row: *mut Row,
    pub(crate) first_out: u64,
    /// Where the frames of the processes begin, by pid.
    pub(crate) frames: *const u32,
    /// The channels, by number minus one.
    pub(crate) channels: *const Channel,
    /// The vector in the middle of a handshake.
    pub(crate) halfway: *mut u8,
    /// For calls back.
    pub(crate) driver: *mut Driver<'static>,
    /// How many steps a leap may make, how many it has made, and the transitions of those
    /// without a row.
    pub(crate) most_steps: u64,
    pub(crate) steps: u64,
    pub(crate) passed: *mut bool,
    /// The length of the vector.
    pub(crate) len: u32,
    pub(crate) process_count: u32,
    pub(crate) channel_count: u32,
    /// Whether this is the second pass, in which `timeout` holds.
    pub(crate) timeout: u32,
    /// The number of the channel of the offer under way, its sender and its fields.
    pub(crate) offer_channel: u32,
    pub(crate) offer_count: u32,
    pub(crate) sender: u32,
    pub(crate) sender_transition: u32,
    pub(crate) offer: [i32; MOST_FIELDS],
}

impl Context {
    /// The context of no node.
    pub(crate) fn new() -> Context {
        Context {
            state: std::ptr::null(),
            out: std::ptr::null_mut(),
            out_at: 0,
            rows: std::ptr::null_mut(),
            rows_end: std::ptr::null_mut(),
            out_end: 0,
            rows_start: std::ptr::null_mut(),
            first_row: std::ptr::null_mut(),
            first_out: 0,
            frames: std::ptr::null(),
            channels: std::ptr::null(),
            halfway: std::ptr::null_mut(),
            driver: std::ptr::null_mut(),
            most_steps: 0,
            steps: 0,
            passed: std::ptr::null_mut(),
            len: 0,
            process_count: 0,
            channel_count: 0,
            timeout: 0,
            offer_channel: 0,
            offer_count: 0,
            sender: 0,
            sender_transition: 0,
            offer: [0; MOST_FIELDS],
        }
    }

    /// Bytes of the rows that were written.
    #[inline]
    pub(crate) fn rows_written(&self) -> usize {
        self.rows as usize - self.rows_start as usize
    }
}

/// Something that one process does: context, offset of its frame, pid. Returns whether it did
/// it (1 or 0), or [`BAIL`].
pub(crate) type ProcessFn = unsafe extern "C" fn(*mut Context, u64, u32) -> i32;

/// The steps of processes: context, a set of them as bits, and the pid that the lowest bit
/// stands for. Returns whether one could move.
pub(crate) type ExpandFn = unsafe extern "C" fn(*mut Context, u64, u32) -> i32;
