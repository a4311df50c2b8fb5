//! The `spinor` binary.

use std::ffi::OsString;
use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use checker::STACK_SIZE;
use cli::exit::Exit;
use cli::{cli as command_line, interrupt};

/// What the last panic said.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    // A check can be interrupted from its first moment on.
    if command_line::checks(&args) {
        interrupt::listen();
    }
    panic::set_hook(Box::new(note_panic));
    let worker = thread::Builder::new()
        .name("spinor".to_owned())
        .stack_size(STACK_SIZE)
        .spawn({
            let args = args.clone();
            move || command_line::run(&args)
        });
    let exit = match worker.map(thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => {
            let message = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
            command_line::report_bug(&args, &message)
        }
        Err(error) => {
            eprintln!("error: cannot start a thread: {error}");
            command_line::report_bug(&args, &format!("cannot start a thread: {error}"));
            Exit::Internal
        }
    };
    exit.into()
}

/// Keep the message of a panic for the report, and tell people.
fn note_panic(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown");
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let message = format!("{text} ({place})");
    // A second panic in here would abort the program.
    let _ = writeln!(
        std::io::stderr(),
        "internal error: {message}\nThis is a bug in spinor. Please report it and attach the model."
    );
    *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = message;
}
