//! What a search needs before it begins: machine code, and what a reduction knows about the
//! processes. Neither needs the other, and they take about as long.

use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

use jit::Jit;
use model::{Interp, Model};
use reduce::{Reducer, Reduction};
use space::{NextState, cancel};

use crate::STACK_SIZE;
use crate::options::Backend;

/// A model, ready to be searched.
pub(super) struct Prepared<'m> {
    /// Its machine code; none if it is to be interpreted, or the machine has no compiler.
    pub(super) compiled: Option<Jit<'m>>,
    /// The time to make it.
    pub(super) compile: Duration,
    /// What finds ample sets, where some are asked for and known.
    pub(super) reducer: Option<Reducer<'m>>,
}

impl<'m> Prepared<'m> {
    /// Prepare a model.
    pub(super) fn new(
        model: &'m Model,
        backend: Backend,
        reduction: Option<&Reduction>,
    ) -> Prepared<'m> {
        let find = || reduction.and_then(|reduction| reducer(model, reduction));
        let flag = cancel::current();
        thread::scope(|scope| {
            let finding = (reduction.is_some() && backend == Backend::Jit).then(|| {
                let thread = thread::Builder::new().stack_size(STACK_SIZE);
                thread.spawn_scoped(scope, || cancel::within(flag, find))
            });
            let started = Instant::now();
            let compiled = match backend {
                Backend::Jit => Jit::new(model).ok(),
                Backend::Interp => None,
            };
            let compile = started.elapsed();
            let reducer = match finding {
                Some(Ok(thread)) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // There is nothing to do meanwhile, or no thread to do it.
                _ => find(),
            };
            Prepared {
                compiled,
                compile,
                reducer,
            }
        })
    }
}

/// What finds ample sets, and knows the processes of the initial state already.
pub(super) fn reducer<'m>(model: &'m Model, reduction: &Reduction) -> Option<Reducer<'m>> {
    let mut reducer = Reducer::new(model, reduction).ok()?;
    if let Ok(initial) = Interp::new(model).initial() {
        reducer.locate(&initial);
    }
    Some(reducer)
}
