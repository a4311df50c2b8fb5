//! Random models with atomic sequences that may go on for ever.
//!
//! One or two processes execute loops inside atomic sequences. Such a loop leaves the sequence in
//! some of its rounds, blocks, ends by handing control over, or never ends; others toggle what it
//! waits for. No state lies inside a sequence, so an endless one is no cycle of states, and a
//! process inside of one must not count as having moved.
//!
//! Spin's verifier does not survive endless loops inside atomic sequences. It translates the models.

use crate::Rng;

/// Propositions about the shared variables.
const PROPOSITIONS: [&str; 5] = ["g == 1", "g != 2", "on", "h == 1", "g == h"];

/// Writes one model.
struct Writer {
    rng: Rng,
    /// The labels so far: each has a name of its own.
    labels: usize,
}

/// A random model with a formula, called `asked`. The same seed gives the same text, on every
/// machine.
pub fn endless_model(seed: u64) -> String {
    let rng = Rng::new(seed ^ 0xe4d_1e55);
    Writer { rng, labels: 0 }.model()
}

impl Writer {
    fn model(mut self) -> String {
        let mut text = "byte g, h;\nbool on;\n\
            chan c = [0] of { bit };\nchan d = [1] of { bit };\n"
            .to_owned();
        let atomics = self.rng.range(1, 2);
        for name in &["A", "B"][..atomics] {
            text += &self.atomic_process(name);
        }
        let others = self.rng.range(1, 3 - atomics);
        for name in &["P", "Q"][..others] {
            let body = self.other();
            text += &format!("active proctype {name}() {{\n  bit x;\n  {body}\n}}\n");
        }
        let formula = self.formula();
        text + &format!("ltl asked {{ {formula} }}\n")
    }

    fn atomic_process(&mut self, name: &str) -> String {
        let clause = match self.rng.percent(15) {
            true => format!(" provided ({})", self.rng.pick(&PROPOSITIONS)),
            false => String::new(),
        };
        let before = match self.rng.percent(30) {
            true => format!("{}; ", self.round()),
            false => String::new(),
        };
        let sequence = format!("atomic {{ {before}{} }}", self.atomic_loop());
        let body = match self.rng.below(3) {
            0 => sequence,
            1 => format!("{sequence};\n  {}", self.other()),
            _ => format!("do :: {sequence} :: {} od", self.round()),
        };
        format!("active proctype {name}(){clause} {{\n  bit x;\n  {body}\n}}\n")
    }

    /// A loop that may be endless. Only one option goes on with it, and without handing control over:
    /// a search follows every path inside an atomic sequence.
    fn atomic_loop(&mut self) -> String {
        let mut options = format!(":: {}", self.own_round());
        if self.rng.percent(50) {
            options += &format!("; {}", self.own_round());
        }
        match self.rng.below(8) {
            0..6 => options += &format!(" :: {} -> break", self.round()),
            6 => options += " :: else -> break",
            _ => {}
        }
        format!("{}do {options} od", self.label())
    }

    /// A label for every third loop.
    fn label(&mut self) -> String {
        self.labels += 1;
        match self.rng.below(6) {
            0 => format!("progress{}: ", self.labels),
            1 => format!("accept{}: ", self.labels),
            _ => String::new(),
        }
    }

    /// A statement of a loop: most can always be executed.
    fn round(&mut self) -> String {
        match self.rng.below(5) {
            0 => format!("c ! {}", self.rng.below(2)),
            1 => "c ? x".to_owned(),
            _ => self.own_round(),
        }
    }

    /// The same without a rendezvous.
    fn own_round(&mut self) -> String {
        match self.rng.below(8) {
            0..3 => format!("g = {}", self.rng.below(3)),
            3 => format!("h = {}", self.rng.below(2)),
            4 => "on = !on".to_owned(),
            5 => "x = 1 - x".to_owned(),
            6 => format!("({})", self.rng.pick(&PROPOSITIONS)),
            _ => (*self.rng.pick(&["d ! 1", "d ? _"])).to_owned(),
        }
    }

    /// What a process without endless sequences does.
    fn other(&mut self) -> String {
        let label = self.label();
        let round = match self.rng.percent(30) {
            true => format!("{}; {}", self.round(), self.round()),
            false => self.round(),
        };
        match self.rng.percent(80) {
            true => format!("{label}do :: {round} od"),
            false => round,
        }
    }

    fn formula(&mut self) -> String {
        let one = *self.rng.pick(&PROPOSITIONS);
        let other = *self.rng.pick(&PROPOSITIONS);
        match self.rng.below(5) {
            0 => format!("<> ({one})"),
            1 => format!("[] <> ({one})"),
            2 => format!("<> [] ({one})"),
            3 => format!("[] (({one}) -> <> ({other}))"),
            _ => format!("({one}) U ({other})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        for seed in 0..50 {
            assert_eq!(endless_model(seed), endless_model(seed));
        }
    }

    #[test]
    fn every_model_has_a_loop_in_an_atomic_sequence() {
        for seed in 0..50 {
            let text = endless_model(seed);
            assert!(text.contains("atomic") && text.contains("do ::"), "{text}");
        }
    }
}
