//! Search algorithms over a next-state function, one file each.
//!
//! | file | algorithm |
//! | --- | --- |
//! | `dfs` | depth-first search for safety, in Spin's order and with Spin's counts |
//!
//! Every search takes a [`space::NextState`], a [`store::StateStore`] and a
//! [`SearchConfig`], and returns an [`Outcome`].

mod config;
mod dfs;
mod findings;
#[cfg(test)]
mod graph;
mod outcome;
mod stack;

pub use config::{Progress, SearchConfig};
pub use dfs::dfs;
pub use findings::Finding;
pub use outcome::{Completion, Exhaustive, Figures, Outcome, Reason, Verdict};
