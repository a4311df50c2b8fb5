//! The library facade and the command line: options, plan, run, report.

pub mod cli;
pub mod clusters;
pub mod combinations;
pub mod commands;
pub mod confirm;
pub mod declared;
pub mod engine;
pub mod exit;
pub mod graph;
pub mod interrupt;
pub mod liveness;
pub mod load;
pub mod memory;
pub mod plan;
pub mod progress;
pub mod property;
pub mod report;
pub mod trace;
pub mod units;

/// The stack of a thread that looks at expressions, which may be nested deeply.
pub const STACK_SIZE: usize = 256 << 20;
