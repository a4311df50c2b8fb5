//! Products of hand-written models and claims.

use space::SiteId;

use super::*;

/// A model that counts from 0 to 2 and stops; byte 0 is room for a claim, hidden bytes may
/// come before it.
struct Counter {
    hidden: usize,
}

impl NextState for Counter {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; self.hidden + 2])
    }

    fn hidden_len(&self) -> usize {
        self.hidden
    }

    fn transition_count(&self) -> usize {
        2
    }

    fn extend(&mut self, state: &[u8], _: Control, found: &mut Expansion) {
        let last = state.len() - 1;
        found.moved = state[last] < 2;
        if found.moved {
            let mut next = state.to_vec();
            next[last] += 1;
            let step = Step {
                pid: Pid(0),
                transition: TransitionId(u32::from(state[last])),
                partner: None,
            };
            found.push(Row::new(Some(step), Control::Free, 0), &next);
            // A safety search would report this.
            found.blame(ViolationKind::Assertion.into());
        }
    }

    fn is_valid_end(&mut self, _: &[u8]) -> bool {
        false
    }
}

/// A claim that may stay in state 0 or go on, to its end in state 3. State 2 is accepting.
struct Guess;

impl Claim for Guess {
    fn state_count(&self) -> u32 {
        4
    }

    fn initial(&self) -> u32 {
        0
    }

    fn sets(&self) -> u32 {
        1
    }

    fn ended(&self, state: u32) -> Option<Violation> {
        (state == 3).then(|| ViolationKind::Claim.into())
    }

    fn on_states(&self) -> bool {
        true
    }

    fn is_weak(&self) -> bool {
        false
    }

    fn cycle_kind(&self) -> ViolationKind {
        ViolationKind::AcceptanceCycle
    }

    fn sees_timeout(&self) -> bool {
        false
    }

    fn waits_for_timeout(&mut self, _: &[u8]) -> bool {
        false
    }

    fn moves(&mut self, state: u32, _: &[u8], _: Sight, moves: &mut Moves) {
        let targets: &[u32] = match state {
            0 => &[0, 1],
            3 => &[],
            other => &[other + 1],
        };
        for &target in targets {
            moves.list.push(ClaimMove {
                target,
                edge: 10 * state + target,
                sets: u32::from(state == 2),
                violation: (state == 1).then_some(Violation {
                    kind: ViolationKind::Assertion,
                    site: Some(SiteId(7)),
                }),
            });
        }
    }

    fn label(&self) -> Option<relation::Label> {
        None
    }

    fn record_touched(&mut self) {}

    fn touched(&mut self) -> Option<&mut model::Touched> {
        None
    }
}

fn product(stutter: Stutter) -> Product<Counter, Guess> {
    let hidden = u32::from(stutter == Stutter::AsSpin);
    let slot = ClaimSlot {
        offset: 0,
        hidden,
        size: hidden + 1,
    };
    let model = Counter {
        hidden: hidden as usize,
    };
    Product::new(model, Guess, slot)
}

/// The rows out of a node: vector, edge, sets, and whether something is wrong.
fn rows(
    product: &mut Product<Counter, Guess>,
    state: &[u8],
    control: Control,
) -> Vec<(Vec<u8>, u32, u32, bool)> {
    let mut found = Expansion::default();
    product.expand(state, control, &mut found);
    assert!(found.moved, "a node of a product is never an invalid end");
    assert_eq!(found.rows.len(), found.marks.len());
    let row = |(row, mark): (&Row, &Mark)| {
        let vector = match row.has_successor() {
            true => found.vector(row).to_vec(),
            false => Vec::new(),
        };
        (vector, mark.edge, mark.sets, row.has(Row::VIOLATION))
    };
    found.rows.iter().zip(&found.marks).map(row).collect()
}

#[test]
fn each_step_of_the_claim_goes_with_each_step_of_the_model() {
    let mut product = product(Stutter::Plain);
    assert_eq!(product.initial(), Ok(vec![0, 0]));
    let found = rows(&mut product, &[0, 0], Control::Free);
    assert_eq!(
        found,
        [(vec![0, 1], 0, 0, false), (vec![1, 1], 1, 0, false)]
    );
}

#[test]
fn what_a_claim_finds_comes_first_and_it_goes_on() {
    let mut product = product(Stutter::Plain);
    let found = rows(&mut product, &[1, 0], Control::Free);
    assert_eq!(found, [(vec![], 12, 0, true), (vec![2, 1], 12, 0, false)]);
    let found = rows(&mut product, &[2, 1], Control::Free);
    assert_eq!(found, [(vec![], 23, 1, true), (vec![3, 2], 23, 1, false)]);
    // At its end there is nothing else to say.
    let found = rows(&mut product, &[3, 1], Control::Free);
    assert_eq!(found, [(vec![], 0, 0, true)]);
}

#[test]
fn the_claim_goes_on_alone() {
    let mut plain = product(Stutter::Plain);
    let found = rows(&mut plain, &[0, 2], Control::Free);
    assert_eq!(
        found,
        [(vec![0, 2], 0, 0, false), (vec![1, 2], 1, 0, false)]
    );
    // As Spin does it, the first state alone is not stored, the next ones are.
    let mut as_spin = product(Stutter::AsSpin);
    let mut found = Expansion::default();
    as_spin.expand(&[0, 0, 2], Control::Free, &mut found);
    assert!(found.rows.iter().all(|row| row.has(Row::EXCLUSIVE)));
    assert_eq!(found.vector(&found.rows[1]), [1, 1, 2]);
    let nobody = Control::Exclusive(Pid::NOBODY);
    as_spin.expand(&[1, 0, 2], nobody, &mut found);
    assert!(found.rows.iter().all(|row| !row.has(Row::EXCLUSIVE)));
    assert_eq!(found.vector(&found.rows[1]), [1, 1, 2]);
}
