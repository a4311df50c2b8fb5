//! Compiled code for the steps of a model.
//!
//! [`Jit`] is a second [`NextState`] made from the same [`Model`] as the interpreter, and
//! gives the same steps in the same order, byte for byte. The steps of all proctypes become one
//! machine function over the flat state vector, and each gets another for what it does
//! with the offer of a rendezvous. Whatever is rare (an error, a sorted send, a priority) is
//! not compiled: the code of the process gives up, and the interpreter is asked for the steps
//! of that process in that state.
//!
//! | file | holds |
//! | --- | --- |
//! | `compile` | from a model to machine code |
//! | `expander` | the function that makes the steps of a node |
//! | `process` | the functions of a proctype |
//! | `action`, `dstep`, `run`, `channel`, `rendezvous`, `expr` | code for the parts of the language |
//! | `chain`, `leap` | straight stretches of atomic sequences, with a row for each step and with one |
//! | `emit` | memory, numbers, branches |
//! | `facts` | what is known before the model runs |
//! | `driver`, `runtime`, `context` | calling compiled code, and being called by it |
//! | `shape`, `listen` | which processes a vector has, and who may receive |
//! | `size` | how large functions become, and what is too large |

mod action;
mod chain;
mod channel;
mod compile;
mod context;
mod driver;
mod dstep;
mod emit;
mod expander;
mod expr;
mod facts;
mod leap;
mod listen;
mod process;
mod rendezvous;
mod run;
mod runtime;
mod shape;
mod size;

use model::Model;
use space::{Asleep, Control, Expansion, NextState, PidSet, Row, Violation};

pub use compile::Unavailable;
use driver::Driver;

/// A model as machine code.
pub struct Jit<'m> {
    driver: Driver<'m>,
}

impl<'m> Jit<'m> {
    /// Compile a model.
    pub fn new(model: &'m Model) -> Result<Jit<'m>, Unavailable> {
        Driver::new(model).map(|driver| Jit { driver })
    }
}

impl NextState for Jit<'_> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.driver.interp().initial()
    }

    fn hidden_len(&self) -> usize {
        self.driver.hidden_len()
    }

    fn transition_count(&self) -> usize {
        self.driver.transition_count()
    }

    #[inline]
    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        self.driver.expand(state, control, found);
    }

    #[inline]
    fn extend_row(&mut self, row: usize, found: &mut Expansion) {
        self.driver.expand_row(row, found);
    }

    #[inline]
    fn extend_chain(&mut self, row: usize, found: &mut Expansion) {
        if !self.driver.chain(row, found) {
            self.driver.expand_row(row, found);
        }
    }

    #[inline]
    fn leap(&mut self, row: usize, most: u64, found: &mut Expansion) {
        if !self.driver.leap(row, most, found) {
            self.driver.expand_row(row, found);
        }
    }

    #[inline]
    fn independent(&mut self, row: &Row, after: &[u8]) -> PidSet {
        self.driver.interp().independent(row, after)
    }

    #[inline]
    fn extend_awake(&mut self, state: &[u8], asleep: Asleep, found: &mut Expansion) {
        self.driver.expand_awake(state, asleep, found);
    }

    fn is_valid_end(&mut self, state: &[u8]) -> bool {
        self.driver.interp().is_valid_end(state)
    }
}
