//! Automata and rewritten formulas against direct evaluation on random words.

use generate::{Formulas, Rng};
use ltl::{Automaton, Formula, Lasso};

/// A word with at most six letters before the cycle and six in it.
fn word(rng: &mut Rng, atoms: usize) -> Lasso {
    let mut letters = |least: usize| {
        let len = rng.range(least, 6);
        // Words that change seldom satisfy more formulas with `[]`.
        let mut letter = rng.bits();
        (0..len)
            .map(|_| {
                if rng.percent(60) {
                    letter = rng.bits();
                }
                letter & ((1 << atoms) - 1)
            })
            .collect()
    };
    Lasso {
        stem: letters(0),
        cycle: letters(1),
    }
}

fn formula(seed: u64, next: bool) -> (String, Formula) {
    let shape = Formulas {
        operators: 1 + seed as usize % 8,
        atoms: 1 + seed as usize % 3,
        next,
    };
    let text = generate::formula(seed, shape);
    let parsed = ltl::parse(&text).expect("a formula");
    // The atoms are numbered as they occur; any numbering will do here.
    (text, parsed.formula)
}

#[track_caller]
fn agree(seed: u64, text: &str, formula: &Formula, automaton: &Automaton, words: usize) {
    let mut rng = Rng::new(seed ^ 0x5eed);
    for _ in 0..words {
        let word = word(&mut rng, formula.atoms());
        let expected = word.satisfies(formula);
        let found = word.is_accepted_by(automaton);
        assert_eq!(
            found, expected,
            "seed {seed}: {text} on {word:?}: {automaton:#?}"
        );
    }
}

#[test]
fn automata_accept_what_the_formula_says() {
    for seed in 0..3000 {
        let (text, formula) = formula(seed, seed % 2 == 0);
        let automaton = ltl::translate(&formula).expect("small");
        agree(seed, &text, &formula, &automaton, 40);
        let single = ltl::degeneralise(&automaton);
        assert!(single.on_states && single.sets == 1, "seed {seed}: {text}");
        agree(seed, &text, &formula, &single, 40);
    }
}
