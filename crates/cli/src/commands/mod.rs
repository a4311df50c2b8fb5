//! The commands, one file each: arguments and what they do.

pub mod check;
pub mod fmt;
pub mod graph;
pub mod ltl;
pub mod plan;
pub mod replay;
pub mod simulate;
