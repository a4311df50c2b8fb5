//! The property patterns: correct automata, and none larger than Spin's.

use std::collections::HashMap;

use generate::Rng;
use ltl::{Lasso, Parsed};

/// The lines `name | rest` of a table.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" | ").expect("two columns"))
}

fn patterns() -> Vec<(&'static str, Parsed)> {
    let parse = |(name, text)| (name, ltl::parse(text).expect("a formula"));
    rows(include_str!("patterns.txt")).map(parse).collect()
}

#[test]
fn automata_accept_what_the_pattern_says() {
    let patterns = patterns();
    assert_eq!(patterns.len(), 55);
    for (name, parsed) in patterns {
        let mut rng = Rng::new(1);
        for formula in [parsed.formula.negated(), parsed.formula] {
            let general = ltl::translate(&formula).expect("small");
            let single = ltl::translate_to_buchi(&formula).expect("small");
            for _ in 0..100 {
                let mask = (1 << formula.atoms()) - 1;
                // Rare letters let scopes open and stay open.
                let mut letters = |least| {
                    let len = rng.range(least, 8);
                    let sparse = |rng: &mut Rng| rng.bits() & rng.bits() & mask;
                    (0..len).map(|_| sparse(&mut rng)).collect()
                };
                let word = Lasso {
                    stem: letters(0),
                    cycle: letters(1),
                };
                let expected = word.satisfies(&formula);
                for automaton in [&general, &single] {
                    assert_eq!(word.is_accepted_by(automaton), expected, "{name}: {word:?}");
                }
            }
        }
    }
}

/// Sizes are those of the negations, which is what a search for counterexamples uses. A state of
/// a never claim is a label with what follows it; two labels in a row are one.
#[test]
fn automata_are_not_larger_than_those_of_spin() {
    let recorded: HashMap<&str, &str> = rows(include_str!("patterns.spin")).collect();
    let (mut ours, mut spins, mut compared) = (0, 0, 0);
    for (name, parsed) in patterns() {
        let formula = parsed.formula.negated();
        let states = ltl::translate_to_buchi(&formula)
            .expect("small")
            .states
            .len();
        let general = ltl::translate(&formula).expect("small").states.len();
        let Ok(spin) = recorded[name].parse::<usize>() else {
            assert_eq!(recorded[name], "-", "{name}");
            continue;
        };
        assert!(
            states <= spin && general <= states,
            "{name}: {general} {states} {spin}"
        );
        ours += states;
        spins += spin;
        compared += 1;
    }
    assert!(compared >= 50, "{compared} compared");
    assert!(100 * ours <= 60 * spins, "{ours} states, Spin {spins}");
}

/// As many labels as states: what is printed is what was counted.
#[test]
fn never_claims_have_a_label_for_each_state() {
    for (name, parsed) in patterns() {
        let automaton = ltl::translate_to_buchi(&parsed.formula).expect("small");
        let claim = ltl::to_never(&automaton, &parsed.atoms, name);
        let labels = claim.lines().filter(|line| line.ends_with(':')).count();
        assert_eq!(labels, automaton.states.len(), "{claim}");
    }
}
