//! Cancelling work that is not a search: reading, analysing and compiling a model.
//!
//! Searches poll a flag of their configuration. The stages before them are recursive and have
//! many entry points, so they are cancelled as rust-analyzer's queries are: [`poll`] unwinds with
//! a [`Cancelled`] payload, and [`scope`] catches it. Unwinding this way runs destructors and
//! calls no panic hook. Outside a scope `poll` does nothing, so the stages need not know
//! whether anybody may cancel them.
//!
//! A search must not unwind, since it ends with what it knows. An analysis in the midst of one,
//! without which the search can go on, is an [`attempt`].

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that several threads share: set once, it asks the work to end.
///
/// Relaxed ordering: nothing but the flag itself is passed on.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Ask the work to end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a search.
    pub fn as_atomic(&self) -> &AtomicBool {
        &self.0
    }
}

/// The work was cancelled; the payload of the unwinding, and the error of [`scope`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

thread_local! {
    /// The flag of the innermost scope of this thread.
    static CURRENT: RefCell<Option<CancelFlag>> = const { RefCell::new(None) };
}

thread_local! {
    /// The flag of the search that this thread makes.
    static SEARCH: RefCell<Option<CancelFlag>> = const { RefCell::new(None) };
}

/// Make a search that observes the flag itself, and in which each [`attempt`] ends once it is set.
pub fn searching<R>(flag: &CancelFlag, search: impl FnOnce() -> R) -> R {
    /// Puts the flag of an outer search back.
    struct Restore(Option<CancelFlag>);

    impl Drop for Restore {
        fn drop(&mut self) {
            SEARCH.with(|current| *current.borrow_mut() = self.0.take());
        }
    }

    let outer = SEARCH.with(|current| current.borrow_mut().replace(flag.clone()));
    let _restore = Restore(outer);
    search()
}

/// Do work that a search can go on without. Nothing if the search was asked to end meanwhile.
/// Outside of a search the work is part of what surrounds it.
pub fn attempt<R>(work: impl FnOnce() -> R) -> Option<R> {
    let flag = SEARCH.with(|current| current.borrow().clone());
    match flag {
        Some(flag) => scope(&flag, work).ok(),
        None => Some(work()),
    }
}

/// Puts the outer scope's flag back, also when the inner scope unwinds.
struct Restore(Option<CancelFlag>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.with(|current| *current.borrow_mut() = self.0.take());
    }
}

/// Run work that [`poll`] ends once the flag is set.
pub fn scope<R>(flag: &CancelFlag, work: impl FnOnce() -> R) -> Result<R, Cancelled> {
    let outer = CURRENT.with(|current| current.borrow_mut().replace(flag.clone()));
    let restore = Restore(outer);
    // The work is abandoned as a whole, so nothing sees what it left half done.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    drop(restore);
    result.map_err(|payload| match payload.downcast::<Cancelled>() {
        Ok(cancelled) => *cancelled,
        Err(panic) => panic::resume_unwind(panic),
    })
}

/// The flag of the innermost scope, to hand on to another thread, see [`within`].
pub fn current() -> Option<CancelFlag> {
    CURRENT.with(|current| current.borrow().clone())
}

/// Run work on behalf of the scope of another thread: unwinding goes on to whoever waits for this
/// one, who has to pass it on.
pub fn within<R>(flag: Option<CancelFlag>, work: impl FnOnce() -> R) -> R {
    let outer = CURRENT.with(|current| std::mem::replace(&mut *current.borrow_mut(), flag));
    let _restore = Restore(outer);
    work()
}

/// End the work of the innermost scope if its flag is set. Cheap enough for every transition or
/// token, not for every byte.
#[inline]
pub fn poll() {
    let cancelled = CURRENT.with(|current| {
        let current = current.borrow();
        current.as_ref().is_some_and(CancelFlag::is_set)
    });
    if cancelled {
        panic::resume_unwind(Box::new(Cancelled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_work_of_a_cancelled_scope_ends() {
        let (outer, inner) = (CancelFlag::default(), CancelFlag::default());
        inner.set();
        let answer = scope(&outer, || {
            poll();
            let ended = scope(&inner, || {
                poll();
                "not reached"
            });
            // The outer flag counts again.
            poll();
            ended
        });
        assert_eq!(answer, Ok(Err(Cancelled)));
        poll();
    }

    #[test]
    fn a_scope_reaches_other_threads() {
        let flag = CancelFlag::default();
        let answer = scope(&flag, || {
            let current = current();
            flag.set();
            let thread = std::thread::spawn(|| within(current, poll));
            thread
                .join()
                .unwrap_or_else(|panic| panic::resume_unwind(panic));
        });
        assert_eq!(answer, Err(Cancelled));
    }

    #[test]
    fn an_attempt_is_given_up_and_its_search_goes_on() {
        let flag = CancelFlag::default();
        let answers = searching(&flag, || {
            let before = attempt(poll);
            flag.set();
            (before, attempt(poll))
        });
        assert_eq!(answers, (Some(()), None));
        // There is no search any more.
        assert_eq!(attempt(poll), Some(()));
        let answer = scope(&flag, || attempt(poll));
        assert_eq!(answer, Err(Cancelled));
    }

    #[test]
    fn other_panics_pass_through() {
        let panics = || scope(&CancelFlag::default(), || panic::resume_unwind(Box::new(7)));
        let payload: Box<dyn std::any::Any + Send> =
            panic::catch_unwind(panics).expect_err("a panic");
        assert_eq!(payload.downcast_ref(), Some(&7));
    }
}
