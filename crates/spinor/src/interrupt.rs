//! Ctrl-C: the first press ends the search with what it found, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// Set by the first press. Relaxed: nothing but the flag itself is passed on.
static PRESSED: AtomicBool = AtomicBool::new(false);

/// Listen for interrupts. `abort` is called at the second press, before the program ends.
pub fn listen(abort: impl Fn() + Send + 'static) -> &'static AtomicBool {
    let handler = move || {
        if PRESSED.swap(true, Ordering::Relaxed) {
            abort();
            std::process::exit(i32::from(Exit::Inconclusive as u8));
        }
    };
    // Without a handler an interrupt ends the program, as usual.
    let _ = ctrlc::set_handler(handler);
    &PRESSED
}
