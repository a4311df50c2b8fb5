//! Ctrl-C and SIGTERM: the first ends the work with what is known, the second ends the program.

use std::sync::{Mutex, OnceLock, PoisonError};

use checker::CancelFlag;

use crate::exit::Exit;

/// Set by the first signal.
static FLAG: OnceLock<CancelFlag> = OnceLock::new();
/// Called at the second signal, before the program ends.
static ABORT: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// The flag that the first signal sets. Before the first call signals end the program, as usual.
pub fn listen() -> CancelFlag {
    let listen = || {
        let flag = CancelFlag::default();
        let set = flag.clone();
        let handler = move || match set.is_set() {
            false => set.set(),
            true => abort(),
        };
        // Without a handler a signal ends the program, as usual.
        let _ = ctrlc::set_handler(handler);
        flag
    };
    FLAG.get_or_init(listen).clone()
}

/// What to do at the second signal.
pub fn on_abort(abort: impl Fn() + Send + 'static) {
    *ABORT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(abort));
}

fn abort() {
    let abort = ABORT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(abort) = abort.as_ref() {
        abort();
    }
    std::process::exit(i32::from(Exit::Inconclusive as u8));
}
