//! What several tests need: seeds of random models, a stack that is large enough.

/// Work with a stack as large as that of the program.
pub fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(checker::STACK_SIZE)
        .spawn(work);
    let result = thread.expect("a thread").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// The seeds of a test that takes so many if nobody asks for another number.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = number("SPINOR_SEED").unwrap_or(1);
    let count = number("SPINOR_COUNT").unwrap_or(count);
    println!("SPINOR_SEED={first} SPINOR_COUNT={count}");
    first..first + count
}
