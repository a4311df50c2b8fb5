//! Linear temporal logic: formulas, and small Büchi automata for them.
//!
//! A [`Formula`] comes from [`parse`] or from a [`Builder`]. [`translate`] makes a generalised
//! Büchi [`Automaton`] of it, and [`degeneralise`] one with accepting states. A [`Lasso`] is an
//! infinite word, on which formulas and automata can be evaluated directly.
//!
//! | file | purpose |
//! | --- | --- |
//! | `formula`, `token`, `parse`, `print` | formulas, from text and back |
//! | `normal`, `implication`, `rewrite`, `simplify` | negation normal form with shared subformulas; rewrite rules for `&&`, `X` and `U`, of which the others are duals |
//! | `tableau`, `translate` | from formulas to automata; several constructions are tried, and the smallest result is kept |
//! | `graph`, `bdd`, `components` | automata under construction, conditions as decision diagrams, strongly connected components |
//! | `reduce` | all reductions of automata: `acceptance` of sets, `simulation` of states and edges, `obligation` for the smallest deterministic automaton where there is one, `degeneralise` |
//! | `automaton`, `product`, `stutter`, `steps` | finished automata: intersection, emptiness, words; stutter invariance |
//! | `output` | text, HOA, DOT, never claims |
//! | `lasso` | the oracle of the tests: formulas and automata on single words |
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
