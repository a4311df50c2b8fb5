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

/// The formula of a seed, with and without `X` in turn.
fn formula(seed: u64) -> (String, Formula) {
    let shape = Formulas {
        operators: 1 + seed as usize % 8,
        atoms: 1 + seed as usize % 3,
        next: seed.is_multiple_of(2),
    };
    let text = generate::formula(seed, shape);
    let parsed = ltl::parse(&text).expect("a formula");
    (text, parsed.formula)
}

/// Words on which the formula is true and on which it is not.
#[derive(Default)]
struct Tally([usize; 2]);

impl Tally {
    /// Compares `holds` with the formula on some words.
    fn compare(
        &mut self,
        seed: u64,
        formula: &Formula,
        holds: impl Fn(&Lasso) -> bool,
        what: &str,
    ) {
        let mut rng = Rng::new(seed ^ 0x5eed);
        for _ in 0..25 {
            let word = word(&mut rng, formula.atoms());
            let expected = word.satisfies(formula);
            self.0[usize::from(expected)] += 1;
            assert_eq!(holds(&word), expected, "seed {seed}: {what} on {word:?}");
        }
    }

    /// A test that only sees one answer shows nothing.
    fn check(&self) {
        let [no, yes] = self.0;
        assert!(
            no.min(yes) * 4 > no + yes,
            "{no} words rejected, {yes} accepted"
        );
    }
}

#[test]
fn automata_accept_what_the_formula_says() {
    let mut tally = Tally::default();
    for seed in 0..1000 {
        let (text, formula) = formula(seed);
        let general = ltl::translate(&formula).expect("small");
        let unfolded = ltl::degeneralise(&general);
        let direct = ltl::translate_to_buchi(&formula).expect("small");
        assert!(
            direct.states.len() <= unfolded.states.len(),
            "seed {seed}: {text}"
        );
        for single in [&unfolded, &direct] {
            assert!(single.on_states && single.sets == 1, "seed {seed}: {text}");
        }
        for automaton in [&general, &unfolded, &direct] {
            let accepts = |word: &Lasso| word.is_accepted_by(automaton);
            tally.compare(seed, &formula, accepts, &format!("{text}: {automaton:#?}"));
        }
    }
    tally.check();
}

#[test]
fn formulas_mean_the_same_when_simplified() {
    let mut tally = Tally::default();
    for seed in 0..6000 {
        let (text, formula) = formula(seed);
        let simple = ltl::simplify(&formula).expect("small");
        let holds = |word: &Lasso| word.satisfies(&simple);
        tally.compare(seed, &formula, holds, &format!("{text}: {simple:?}"));
    }
    tally.check();
}

/// Words sample; a product sees every word.
#[test]
fn a_formula_and_its_negation_share_no_word() {
    let mut found = 0;
    for seed in 0..500 {
        let (text, formula) = formula(seed);
        let yes = ltl::translate(&formula).expect("small");
        let no = ltl::translate(&formula.negated()).expect("small");
        let both = ltl::product(&yes, &no);
        assert!(ltl::is_empty(&both), "seed {seed}: {text}");
        for (automaton, expected) in [(&yes, true), (&no, false)] {
            if let Some(word) = ltl::accepted_word(automaton) {
                assert_eq!(word.satisfies(&formula), expected, "seed {seed}: {text}");
                found += 1;
            }
        }
    }
    assert!(found > 500, "{found} words");
}

/// Repeats each letter a few times, and the whole cycle where it is shorter than that.
fn stuttered(rng: &mut Rng, word: &Lasso) -> Lasso {
    let mut repeat = |letters: &[u64]| -> Vec<u64> {
        let each = letters.iter();
        each.flat_map(|&letter| vec![letter; rng.range(1, 3)])
            .collect()
    };
    Lasso {
        stem: repeat(&word.stem),
        cycle: repeat(&word.cycle),
    }
}

#[test]
fn stutter_invariant_formulas_ignore_repetitions() {
    let mut tally = [0, 0];
    for seed in (0..1000).step_by(2) {
        let (text, formula) = formula(seed);
        let invariant = ltl::is_stutter_invariant(&formula).expect("small");
        let mut rng = Rng::new(seed);
        let differs = (0..200).any(|_| {
            let word = word(&mut rng, formula.atoms());
            let other = stuttered(&mut rng, &word);
            word.satisfies(&formula) != other.satisfies(&formula)
        });
        assert!(!(invariant && differs), "seed {seed}: {text}");
        if formula.has_next() {
            tally[usize::from(invariant)] += 1;
        }
    }
    assert!(tally.iter().all(|&count| count > 50), "{tally:?}");
}

/// An `X` that says nothing does not make a formula sensitive.
#[test]
fn formulas_without_next_are_stutter_invariant() {
    for seed in (1..400).step_by(2) {
        let (text, formula) = formula(seed);
        let (mut builder, root) = formula.edit();
        let atom = builder.atom(ltl::AtomId(0));
        let next = builder.unary(ltl::Unary::Next, atom);
        let idle = builder.binary(ltl::Binary::Until, next, next);
        let same = builder.binary(ltl::Binary::Equivalent, idle, next);
        let both = builder.binary(ltl::Binary::And, root, same);
        let formula = builder.finish(both);
        assert!(formula.has_next());
        assert_eq!(
            ltl::is_stutter_invariant(&formula),
            Ok(true),
            "seed {seed}: {text}"
        );
    }
}

#[test]
fn classes_fit_the_automata() {
    fn class(formula: &str) -> ltl::Class {
        let parsed = ltl::parse(formula).expect("a formula");
        let automaton: Automaton = ltl::translate(&parsed.formula).expect("small");
        automaton.class
    }
    assert_eq!(class("p U q"), ltl::Class::Terminal);
    assert_eq!(class("<> (p && X q)"), ltl::Class::Terminal);
    assert_eq!(class("[] p"), ltl::Class::Weak);
    assert_eq!(class("<> [] p"), ltl::Class::Weak);
    assert_eq!(class("[] <> p"), ltl::Class::General);
    assert_eq!(class("[] (p -> <> q)"), ltl::Class::General);
}

#[test]
fn the_table_of_steps_has_each_enabled_edge_once() {
    for seed in 0..300 {
        let (text, formula) = formula(seed);
        let automaton = ltl::translate(&formula).expect("small");
        let steps = ltl::Steps::new(&automaton);
        for state in (0..automaton.states.len() as u32).map(ltl::StateIx) {
            for values in 0..1 << formula.atoms() {
                let edges = automaton.enabled(state, values);
                let expected: Vec<_> = edges.map(|edge| (edge.marks, edge.target)).collect();
                let found = steps.enabled(state, values);
                let found: Vec<_> = found.map(|step| (step.marks, step.target)).collect();
                assert_eq!(found, expected, "seed {seed}: {text}");
            }
        }
    }
}
