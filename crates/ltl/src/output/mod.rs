//! Automata as text, in the formats of people, Spin and other tools.

mod condition;
mod dot;
mod hoa;
mod never;
mod text;

pub use dot::to_dot;
pub use hoa::to_hoa;
pub use never::to_never;
pub use text::to_text;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{degeneralise, parse, translate};

    /// Everything that can be printed for a formula.
    fn all(formula: &str) -> String {
        let parsed = parse(formula).expect("a formula");
        let automaton = translate(&parsed.formula).expect("small");
        let atoms = &parsed.atoms;
        let single = degeneralise(&automaton);
        [
            to_text(&automaton, atoms),
            to_hoa(&automaton, atoms, formula),
            to_hoa(&single, atoms, formula),
            to_dot(&automaton, atoms, formula),
            to_never(&automaton, atoms, formula),
        ]
        .join("\n")
    }

    #[test]
    fn response() {
        insta::assert_snapshot!(all("[] (p -> <> \"x > 1\")"));
    }

    #[test]
    fn two_sets() {
        insta::assert_snapshot!(all("[] <> p && [] <> q"));
    }

    #[test]
    fn terminal() {
        insta::assert_snapshot!(all("!p U q"));
    }

    #[test]
    fn nothing_is_accepted() {
        insta::assert_snapshot!(all("false"));
    }

    #[test]
    fn everything_is_accepted() {
        insta::assert_snapshot!(all("true"));
    }
}
