//! Conditions as text.

use crate::automaton::{Condition, Cube};

/// How a format writes conditions.
pub(super) struct Notation<'a> {
    pub and: &'a str,
    pub or: &'a str,
    pub yes: &'a str,
    /// Whether a conjunction inside a disjunction stands in parentheses.
    pub nested: bool,
    /// The text of an atom.
    pub atom: &'a dyn Fn(u32) -> String,
}

impl Notation<'_> {
    /// The condition as text. Conditions are never empty.
    pub fn show(&self, condition: &Condition) -> String {
        let several = condition.cubes.len() > 1;
        let cubes: Vec<String> = (condition.cubes.iter())
            .map(|cube| {
                let text = self.cube(*cube);
                let literals = (cube.positive | cube.negative).count_ones();
                if several && self.nested && literals > 1 {
                    format!("({text})")
                } else {
                    text
                }
            })
            .collect();
        cubes.join(self.or)
    }

    fn cube(&self, cube: Cube) -> String {
        if cube == Cube::ALL {
            return self.yes.to_owned();
        }
        let literals: Vec<String> = (0..64)
            .filter(|atom| (cube.positive | cube.negative) >> atom & 1 == 1)
            .map(|atom| {
                let sign = if cube.negative >> atom & 1 == 1 {
                    "!"
                } else {
                    ""
                };
                format!("{sign}{}", (self.atom)(atom))
            })
            .collect();
        literals.join(self.and)
    }
}

/// The sets of marks in braces, such as `{0 2}`; nothing for none.
pub(super) fn show_marks(marks: u32) -> String {
    let sets: Vec<String> = (0..32)
        .filter(|set| marks >> set & 1 == 1)
        .map(|set: u32| set.to_string())
        .collect();
    if sets.is_empty() {
        String::new()
    } else {
        format!("{{{}}}", sets.join(" "))
    }
}

/// Text between double quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
