//! The library of spinor: load a model, plan its searches, run them, report; explore a model
//! state by state.
//!
//! ```
//! use checker::{Options, Source, Verdict, Watch};
//!
//! let source = Source::text("counter.pml", "byte x; active proctype P() { x++; assert(x == 2) }");
//! let report = checker::check(&source, &Options::default(), &Watch::default());
//! assert_eq!(report.verdict, Verdict::Violated);
//! assert_eq!(report.errors[0].message, "assertion violated in P(0): x == 2");
//! ```
//!
//! The way of a check is [`Source`] → [`Loaded`] → [`Plan`] → [`Report`]. [`check`] goes all of it;
//! [`load()`](load::load), [`Plan::new`] and [`run`](run::run) are its parts. What may interest a caller
//! meanwhile (a verdict as soon as it is known, a counterexample, progress, warnings) comes as an
//! [`Event`], and a [`CancelFlag`] ends the work at any time.
//!
//! | module | purpose |
//! | --- | --- |
//! | `load`, `property`, `declared`, `clusters` | from a source to a model with its properties, and what its comments declare |
//! | `options`, `plan` | what was asked for, and which searches answer it: `table` and `rows` say what may be combined |
//! | `engine` | one job: model, reductions, back end, store and search put together; `unroll` turns cycles of representatives into cycles of the model |
//! | `liveness` | claims beside a model: `formula`, `np` for non-progress, `system` for model and claim as one |
//! | `run`, `limits`, `event`, `judge` | jobs one after the other, limits and cancellation, events, verdicts |
//! | `confirm` | every counterexample is executed again: `lasso` those with a cycle, `word` whether a claim accepts it |
//! | `report`, `trace`, `units` | the report, counterexamples as text, files and trails, numbers with units |
//! | `explorer` | a model state by state |
//!
//! The library prints nothing, installs no handler, writes no file unless told, and keeps no
//! global state.

pub mod clusters;
pub mod confirm;
pub mod declared;
pub mod engine;
pub mod event;
pub mod explorer;
pub mod judge;
pub mod limits;
pub mod liveness;
pub mod load;
pub mod memory;
pub mod options;
pub mod plan;
pub mod property;
pub mod report;
pub mod run;
pub mod style;
pub mod trace;
pub mod units;

pub use event::{Event, Phase, ProgressReport};
pub use explorer::Explorer;
pub use judge::{Blame, PropertyVerdict, Verdict};
pub use limits::Watch;
pub use load::{LoadError, Loaded, Source};
pub use options::Options;
pub use plan::{Plan, Refusal};
pub use report::Report;
pub use run::check;
pub use space::cancel::CancelFlag;

/// The stack of a thread that looks at expressions, which may be nested deeply.
pub const STACK_SIZE: usize = 256 << 20;

/// The page of the manual about the library, whose examples are run with those of this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Manual;
