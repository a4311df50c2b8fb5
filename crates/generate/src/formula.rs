//! Random formulas of linear temporal logic, as text that `spin -f` reads too.

use crate::rng::Rng;

/// The operators with two arguments that `spin -f` knows.
const BINARY: &[&str] = &["&&", "||", "->", "<->", "U", "V"];

/// The propositions.
const ATOMS: &[&str] = &["p", "q", "r", "s"];

/// How formulas are made.
#[derive(Clone, Copy, Debug)]
pub struct Formulas {
    /// How many operators, besides negations of propositions.
    pub operators: usize,
    /// How many propositions, at most four.
    pub atoms: usize,
    /// Whether `X` occurs. Many builds of Spin do not read it.
    pub next: bool,
}

/// The formula of a seed.
pub fn formula(seed: u64, shape: Formulas) -> String {
    let mut rng = Rng::new(seed);
    of_size(&mut rng, shape.operators, shape)
}

/// A formula whose propositions are asked for one by one.
pub(crate) fn about(rng: &mut Rng, operators: usize, propositions: &[String]) -> String {
    let shape = Formulas {
        operators,
        atoms: propositions.len().min(ATOMS.len()),
        next: false,
    };
    let text = of_size(rng, operators, shape);
    let mut found = String::new();
    for letter in text.chars() {
        let atom = ATOMS.iter().position(|atom| atom.starts_with(letter));
        match atom.and_then(|row| propositions.get(row)) {
            Some(proposition) => found.push_str(proposition),
            None => found.push(letter),
        }
    }
    found
}

/// Recurses once for each operator on a path; the callers ask for few.
fn of_size(rng: &mut Rng, operators: usize, shape: Formulas) -> String {
    if operators == 0 {
        let atom = ATOMS[rng.below(shape.atoms)];
        return if rng.percent(30) {
            format!("!{atom}")
        } else {
            atom.to_owned()
        };
    }
    if rng.percent(35) {
        let next = if shape.next { 6 } else { 0 };
        let operator = rng.weighted(&[(4, "[] "), (4, "<> "), (1, "!"), (next, "X ")]);
        let argument = of_size(rng, operators - 1, shape);
        return format!("{operator}({argument})");
    }
    let left = rng.below(operators);
    let operator = rng.weighted(&[(3, 0), (3, 1), (2, 2), (1, 3), (4, 4), (3, 5)]);
    let (first, second) = (
        of_size(rng, left, shape),
        of_size(rng, operators - 1 - left, shape),
    );
    format!("({first}) {} ({second})", BINARY[operator])
}
