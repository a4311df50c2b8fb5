//! Search algorithms over a next-state function, one file each.
//!
//! | file | algorithm |
//! | --- | --- |
//! | `dfs` | depth-first search for safety, in Spin's order and with Spin's counts |
//! | `reduced_dfs` | depth-first search that takes ample sets of steps |
//! | `sleep_dfs` | depth-first search with sleep sets, and perhaps ample sets |
//! | `bfs` | breadth-first search, with shortest counterexamples |
//! | `depth_limited` | depth-first search that misses nothing within its bound |
//! | `shortening` | depth-first search for the shortest counterexample |
//! | `stateless` | depth-first search that remembers only its path |
//! | `nested_dfs` | nested depth-first search for accepting cycles |
//! | `weak_dfs` | depth-first search for accepting cycles where the automaton is weak |
//! | `weak_fairness` | the same for weakly fair cycles |
//! | `rwf` | weakly fair cycles under symmetry |
//! | `scc` | search for strongly connected components, with fairness |
//! | `owcty` | breadth-first search for fair cycles, with short counterexamples |
//! | `orbit_store` | symmetry reduction: representatives in the store, originals on the path |
//! | `swarm` | what several incomplete searches found together |
//!
//! What they share:
//!
//! | file | purpose |
//! | --- | --- |
//! | `config`, `outcome`, `findings` | options, results, and the violations found |
//! | `accounting` | what a search counts, and the limits at which it ends |
//! | `depth_first` | the core of all depth-first searches for safety, which are policies of it |
//! | `order` | the order in which the steps of a node are tried |
//! | `path`, `delta`, `records`, `varint` | the path of a depth-first search in few bytes, partly in a file |
//! | `path_set` | the states on a path, for the proviso |
//! | `pending`, `waiting` | successors that are not taken yet, of depth-first and of nested searches |
//! | `moves` | the moves of a state: steps, and atomic sequences as a whole |
//! | `move_marks` | acceptance sets of moves, and the processes that move |
//! | `links`, `queue`, `changes` | breadth-first search: parents of states, states that wait, and how these differ |
//! | `colours`, `unfold` | nested search: colours of states, and copies of the state space |
//! | `component`, `lasso` | parts of the state space as graphs in memory, and counterexamples from them |
//! | `checkpoint`, `replay` | saved searches, and executions from numbers of rows |
//! | `graph`, `marked`, `oracle`, `stores`, `numbers` | tests: hand-written graphs without and with acceptance sets, slow and obvious searches |
//!
//! Every search takes a [`space::NextState`], mostly a [`store::StateStore`], and a
//! [`SearchConfig`], and returns an [`Outcome`]. Those for cycles take a
//! [`space::Acceptance`], and write no checkpoints.

mod accounting;
mod backoff;
mod bfs;
mod changes;
mod checkpoint;
mod colours;
mod component;
mod config;
mod delta;
mod depth_first;
mod depth_limited;
mod dfs;
mod findings;
#[cfg(test)]
mod graph;
mod lasso;
mod links;
#[cfg(test)]
mod marked;
mod move_marks;
mod moves;
mod nested_dfs;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod oracle;
mod orbit_store;
mod order;
mod outcome;
mod owcty;
pub mod packed;
mod path;
mod path_set;
mod pending;
mod queue;
mod records;
mod reduced_dfs;
mod replay;
mod rwf;
mod scc;
mod shortening;
mod sleep_dfs;
mod stateless;
#[cfg(test)]
mod stores;
mod swarm;
mod unfold;
mod varint;
mod waiting;
mod weak_dfs;
mod weak_fairness;

pub use bfs::{bfs, bfs_resume};
pub use checkpoint::ResumeError;
pub use config::{Checkpoint, Observer, Progress, SearchConfig};
pub use depth_limited::{NOTE_BYTES, depth_limited};
pub use dfs::{dfs, dfs_resume};
pub use findings::{Finding, ViolationPlace};
pub use nested_dfs::{nested_dfs, nested_dfs_note_bytes, nested_dfs_two_stores};
pub use orbit_store::OrbitStore;
pub use order::Order;
pub use outcome::{Completion, Exhaustive, Outcome, Reason, Statistics, Verdict};
pub use owcty::{OWCTY_NOTE_BYTES, owcty};
pub use reduced_dfs::reduced_dfs;
pub use rwf::{Rounds, rwf, rwf_note_bytes};
pub use scc::{SCC_NOTE_BYTES, scc};
pub use shortening::shortening;
pub use sleep_dfs::{SLEEP_NOTE_BYTES, sleep_dfs};
pub use stateless::stateless;
pub use weak_dfs::{WEAK_DFS_NOTE_BYTES, weak_dfs};
pub use weak_fairness::{nested_dfs_fair, nested_dfs_fair_two_stores};
