//! Traces: executing them again, showing them to people, keeping them in files.
//!
//! A [`space::Trace`] is a list of steps and means nothing without its model. [`replay`]
//! executes it in the interpreter, which is how everything else here learns what the steps
//! did: [`print`] shows them, [`file`] writes them to a JSON file that can be read back,
//! [`trail`] reads and writes the files of Spin, [`guide`] finds the steps of either in a model.

pub mod file;
pub mod guide;
mod merge;
pub mod node;
pub mod print;
pub mod replay;
mod table;
pub mod trail;
mod verdict;

pub use file::TraceFile;
pub use replay::{Replayed, replay};
