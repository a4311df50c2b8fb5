//! Linear temporal logic: formulas, and small Büchi automata for them.
//!
//! A [`Formula`] comes from [`parse`] or from a [`Builder`]. [`translate`] makes a generalised
//! Büchi [`Automaton`] of it, and [`degeneralise`] one with accepting states. A [`Lasso`] is an
//! infinite word, on which formulas and automata can be evaluated directly.
//!
//! ```
//! let parsed = ltl::parse("[] (request -> <> grant)").unwrap();
//! let automaton = ltl::translate(&parsed.formula).unwrap();
//! assert_eq!(parsed.atoms, ["request", "grant"]);
//! assert_eq!(automaton.states.len(), 2);
//! ```

mod acceptance;
mod automaton;
mod bdd;
mod components;
mod degeneralise;
mod formula;
mod graph;
mod implication;
mod lasso;
mod normal;
mod obligation;
mod output;
mod parse;
mod print;
mod product;
mod reduce;
mod rewrite;
mod simplify;
mod simulation;
mod steps;
mod stutter;
mod tableau;
mod token;
mod translate;

pub use automaton::{Automaton, Class, Condition, Cube, Edge, State, StateIx};
pub use degeneralise::degeneralise;
pub use formula::{AtomId, Binary, Builder, Formula, Node, Term, Unary};
pub use lasso::Lasso;
pub use output::{to_dot, to_hoa, to_never, to_text};
pub use parse::{ParseError, Parsed, parse};
pub use print::{show, without_weak};
pub use product::{accepted_word, is_empty, product};
pub use simplify::simplify;
pub use steps::{Step, Steps};
pub use stutter::is_stutter_invariant;
pub use translate::{TooLarge, translate, translate_to_buchi};
