//! The command line: options, terminal, files, signals, exit status. What is checked, and how, is
//! the library's matter.

pub mod cli;
pub mod color;
pub mod commands;
pub mod exit;
pub mod graph;
pub mod habits;
pub mod interrupt;
pub mod names;
pub mod progress;
pub mod report;
pub mod source;
