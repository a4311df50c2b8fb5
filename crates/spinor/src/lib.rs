//! The library facade and the command line: options, plan, run, report.

pub mod cli;
pub mod commands;
pub mod exit;
pub mod load;
