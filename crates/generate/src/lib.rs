//! Random Promela models and formulas for differential tests.
//!
//! [`model`] writes a small model with a finite state space that Spin accepts. Each model uses a
//! handful of features of the language, so that a failure is easy to read; [`shrink()`] makes a
//! failing model smaller still.
//!
//! A model is built as a tree (`statement`, `expression`) from the outside to the inside: `program`
//! decides on the processes, `variable` and `channel` declare what they share, `process` and `body`
//! write them, `control`, `region`, `counting`, `simple` and `message` their statements, `value` the
//! expressions, `property` the claims. `feature` says what a model may contain.
//!
//! Other kinds of models are for corners that these seldom meet: [`family_model`] for processes that
//! start others, [`symmetric_model`] and [`role_model`] for symmetry, [`provided_model`] for `provided`
//! clauses, [`endless_model`] for endless atomic sequences, [`claimed_model`] for never claims.
//!
//! Left out of [`model`], because Spin does not survive it or contradicts itself: polling a rendezvous channel;
//! endless loops inside atomic sequences; an `else` in an escape, or two of them in one choice; an
//! escape of an option's first statement; a jump or a `break` straight to a `d_step`; elements of
//! type `bit` that get more than a bit; an index that the receive it stands in changes; priorities
//! or `enabled` together with rendezvous. In one model of a hundred (`Fault`) a process divides by
//! zero or leaves an array.

mod body;
mod channel;
mod claimed;
mod control;
mod counting;
mod endless;
mod expression;
mod family;
mod feature;
mod formula;
mod generator;
mod message;
mod process;
mod program;
mod property;
mod provided;
mod region;
mod rng;
mod roles;
mod scope;
mod shrink;
mod simple;
mod statement;
mod symmetric;
mod tags;
mod value;
mod variable;
mod waiting;

pub use claimed::claimed_model;
pub use endless::endless_model;
pub use family::family_model;
pub use formula::{Formulas, formula};
use generator::Generator;
pub use provided::{provided_model, provided_model_with_formula};
pub use rng::Rng;
pub use roles::{role_model, role_model_with_formula};
pub use shrink::shrink;
pub use symmetric::{symmetric_model, symmetric_model_with_formula};
pub use tags::tag_model;
pub use waiting::waiting_model;

/// A model whose processes have fewer combinations of control states is rarely interesting.
const SMALLEST: u64 = 60;
/// A model whose processes have more combinations of control states is often too large.
const LARGEST: u64 = 5_000;
/// After this many attempts the model is taken as it is.
const ATTEMPTS: u64 = 200;

/// A random model. The same seed gives the same text, on every machine.
pub fn model(seed: u64) -> String {
    generate(seed, false)
}

/// The same with a random formula, called `asked`, about what the model does.
pub fn model_with_formula(seed: u64) -> String {
    generate(seed, true)
}

fn generate(seed: u64, asks: bool) -> String {
    let mut attempt = 0;
    loop {
        let mut generator = Generator::new(seed, attempt);
        generator.asks = asks;
        let program = generator.program();
        let fits = (SMALLEST..=LARGEST).contains(&program.size) && program.connected;
        if fits || attempt == ATTEMPTS {
            return program.text;
        }
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{model, model_with_formula};

    #[test]
    fn the_same_seed_gives_the_same_text() {
        for seed in 0..50 {
            assert_eq!(model(seed), model(seed));
        }
    }

    #[test]
    fn formulas_are_there_when_asked_for() {
        for seed in 0..50 {
            assert!(!model(seed).contains("ltl asked"));
            assert!(model_with_formula(seed).contains("ltl asked"));
        }
    }

    #[test]
    fn braces_are_balanced() {
        for seed in 0..200 {
            let text = model(seed);
            assert!(!text.is_empty());
            for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
                let count = |wanted| text.chars().filter(|&c| c == wanted).count();
                assert_eq!(count(open), count(close), "seed {seed}:\n{text}");
            }
        }
    }
}
