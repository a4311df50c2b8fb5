//! What compiled code calls back for.
//!
//! Each function gets the [`Context`] that the driver handed to the compiled code, and
//! nothing else of the driver is borrowed while compiled code runs.
#![allow(unsafe_code)]

use model::ExprId;

use crate::context::Context;

/// The value of an expression in a vector, by the interpreter. The upper half of the answer
/// is not 0 if it has none.
///
/// # Safety
///
/// `context` is the one of the driver that is running, `state` a vector with the processes
/// of its node.
pub(crate) unsafe extern "C" fn eval(
    context: *mut Context,
    expr: u32,
    state: *const u8,
    pid: u32,
    moved: u32,
) -> u64 {
    // SAFETY: as the caller promises.
    let (context, state) = unsafe {
        let context = &mut *context;
        let state = std::slice::from_raw_parts(state, context.len as usize);
        (context, state)
    };
    // SAFETY: the driver lives, and borrows nothing of itself while compiled code runs.
    let driver = unsafe { &mut *context.driver };
    let interp = driver.loaded_interp(context);
    match interp.value(
        state,
        pid as u8,
        context.timeout != 0,
        moved != 0,
        ExprId(expr),
    ) {
        Ok(value) => u64::from(value as u32),
        Err(_) => 1 << 32,
    }
}

/// Let all other processes see the offer. Returns whether one took it, or
/// [`crate::context::BAIL`].
///
/// # Safety
///
/// As for [`eval`]; the offer in `context` is complete.
pub(crate) unsafe extern "C" fn handshake(context: *mut Context) -> i32 {
    // SAFETY: as the caller promises; the driver borrows nothing of itself while compiled code
    // runs.
    unsafe { (*(*context).driver).handshake(context) }
}

/// Whether a claim forbids a process to use a channel.
///
/// # Safety
///
/// As for [`eval`].
pub(crate) unsafe extern "C" fn claims(
    context: *mut Context,
    state: *const u8,
    pid: u32,
    channel: u32,
    receive: u32,
) -> i32 {
    // SAFETY: as the caller promises.
    let (context, state) = unsafe {
        let context = &mut *context;
        let state = std::slice::from_raw_parts(state, context.len as usize);
        (context, state)
    };
    // SAFETY: the driver lives, and borrows nothing of itself while compiled code runs.
    let driver = unsafe { &mut *context.driver };
    let interp = driver.loaded_interp(context);
    i32::from(interp.breaks_claim(state, pid as u8, channel as i32, receive != 0))
}

/// The steps of a process, by the interpreter, instead of those that its code has written.
/// Returns whether it could move.
///
/// # Safety
///
/// As for [`eval`].
pub(crate) unsafe extern "C" fn interpret(context: *mut Context, pid: u32) -> i32 {
    // SAFETY: as the caller promises; the driver borrows nothing of itself while compiled code
    // runs.
    unsafe { i32::from((*(*context).driver).interpret_instead(context, pid as u8)) }
}

/// Move bytes that may overlap.
///
/// # Safety
///
/// Both regions lie in one vector.
pub(crate) unsafe extern "C" fn move_bytes(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { std::ptr::copy(from, to, count) };
    to
}
