//! Never claims of Spin, read back as automata.

use ltl::{Automaton, Class, Condition, Cube, Edge, Lasso, State, StateIx};

/// A never claim that `spin -f` printed.
pub struct Claim {
    states: Vec<ClaimState>,
}

/// A label with the options behind it.
#[derive(Default)]
struct ClaimState {
    /// Two labels in a row name the same state.
    labels: Vec<String>,
    options: Vec<Choice>,
}

/// The text of a condition, and the label to go to.
struct Choice {
    condition: String,
    target: String,
}

impl Claim {
    /// Reads what Spin printed, line by line.
    pub fn read(text: &str) -> Claim {
        let mut states: Vec<ClaimState> = Vec::new();
        let mut after_label = false;
        for line in text.lines() {
            let label = line.strip_suffix(':').filter(|label| !label.contains(' '));
            if let Some(label) = label {
                if !after_label {
                    states.push(ClaimState::default());
                }
                if let Some(state) = states.last_mut() {
                    state.labels.push(label.to_owned());
                }
            } else if let Some(state) = states.last_mut() {
                state
                    .options
                    .extend(Choice::read(line.trim(), &state.labels[0]));
            }
            after_label = label.is_some();
        }
        Claim { states }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The automaton of the claim; none if a condition or a label cannot be understood.
    pub fn automaton(&self, atoms: &[String]) -> Option<Automaton> {
        let find = |label: &str| {
            let has = |state: &ClaimState| state.labels.iter().any(|known| known == label);
            self.states.iter().position(has)
        };
        let mut states = Vec::new();
        for state in &self.states {
            let accepts = state.labels.iter().any(|label| label.starts_with("accept"));
            let edge = |option: &Choice| {
                Some(Edge {
                    condition: condition(&option.condition, atoms)?,
                    marks: u32::from(accepts),
                    target: StateIx(find(&option.target)? as u32),
                })
            };
            let edges = state.options.iter().map(edge);
            states.push(State {
                edges: edges.collect::<Option<_>>()?,
            });
        }
        Some(Automaton {
            states,
            initial: StateIx(0),
            sets: 1,
            atoms: atoms.len(),
            class: Class::General,
            on_states: true,
        })
    }
}

impl Choice {
    /// One line of a claim: an option, or the loop at its end; none if it is neither.
    fn read(line: &str, label: &str) -> Option<Choice> {
        if line == "skip" {
            return Some(Choice {
                condition: "1".to_owned(),
                target: label.to_owned(),
            });
        }
        let option = line.strip_prefix(":: ")?;
        // An option to the accepting end stops the run there.
        let (option, end) = match option.strip_prefix("atomic { ") {
            Some(inside) => (inside, true),
            None => (option, false),
        };
        let (condition, rest) = option.split_once(" -> ")?;
        let target = match rest.strip_prefix("goto ") {
            Some(target) => target,
            None if end => "accept_all",
            None => return None,
        };
        Some(Choice {
            condition: condition.to_owned(),
            target: target.to_owned(),
        })
    }
}

/// The valuations that satisfy a boolean text, one by one: slow and obvious.
fn condition(text: &str, atoms: &[String]) -> Option<Condition> {
    let parsed = ltl::parse(text).ok()?;
    let place = |name: &String| atoms.iter().position(|atom| atom == name);
    let places: Vec<usize> = parsed.atoms.iter().map(place).collect::<Option<_>>()?;
    let all = (1u64 << atoms.len()) - 1;
    let mut cubes = Vec::new();
    for values in 0..=all {
        let bits = places.iter().enumerate();
        let letter = bits.fold(0, |letter, (number, place)| {
            letter | (values >> place & 1) << number
        });
        let word = Lasso {
            stem: Vec::new(),
            cycle: vec![letter],
        };
        if word.satisfies(&parsed.formula) {
            cubes.push(Cube {
                positive: values,
                negative: all & !values,
            });
        }
    }
    Some(Condition { cubes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_becomes_the_automaton_it_prints() {
        let text = "never  {    /* p U q */\n\
                    T0_init:\n\tdo\n\t:: atomic { ((q)) -> assert(!((q))) }\n\
                    \t:: ((p) && ! ((q))) -> goto T0_init\n\tod;\n\
                    accept_all:\n\tskip\n}\n";
        let atoms = ["p".to_owned(), "q".to_owned()];
        let claim = Claim::read(text);
        assert_eq!(claim.len(), 2);
        let automaton = claim.automaton(&atoms).expect("a claim");
        let accepts = |stem: &[u64], cycle: &[u64]| {
            let word = Lasso {
                stem: stem.to_vec(),
                cycle: cycle.to_vec(),
            };
            word.is_accepted_by(&automaton)
        };
        assert!(accepts(&[1, 1], &[2, 0]));
        assert!(!accepts(&[1, 1], &[0, 2]));
        assert!(!accepts(&[], &[1]));
    }

    #[test]
    fn labels_in_a_row_are_one_state() {
        let text = "never  {    /* p V q */\n\
                    accept_init:\nT0_init:\n\tdo\n\t:: ((q)) -> goto T0_init\n\tod;\n\
                    accept_all:\n\tskip\n}\n";
        assert_eq!(Claim::read(text).len(), 2);
    }
}
