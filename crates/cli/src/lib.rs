//! The command line: options, terminal, files, signals, exit status. What is checked, and how, is
//! the library's matter.
//!
//! | module | purpose |
//! | --- | --- |
//! | `cli`, `habits` | the options of all commands; advice for options of Spin |
//! | `commands` | one file for each command |
//! | `report`, `progress`, `color` | reports as text and JSON, the progress line, colours |
//! | `graph` | automata as text, DOT and SVG |
//! | `source`, `interrupt`, `exit` | files, signals, exit status |

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
