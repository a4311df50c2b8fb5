//! Paths of many millions of steps.

use std::io::{self, Read, Write};

use space::{Control, Expansion, NextState, Pid, Row, Step, TransitionId, Violation};
use store::StateId;

use super::*;
use crate::dfs::tests::ALL_ERRORS;
use crate::{Completion, Order};

/// Counts up to a number.
struct Line {
    end: u64,
    valid_end: bool,
}

impl NextState for Line {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; 8])
    }

    fn hidden_len(&self) -> usize {
        0
    }

    fn transition_count(&self) -> usize {
        1
    }

    fn extend(&mut self, state: &[u8], _: Control, found: &mut Expansion) {
        found.moved = false;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(state);
        let next = u64::from_le_bytes(bytes) + 1;
        if next < self.end {
            let step = Step {
                pid: Pid(0),
                transition: TransitionId(0),
                partner: None,
            };
            let row = Row::new(Some(step), Control::Free, 0);
            found.push(row, &next.to_le_bytes());
            found.moved = true;
        }
    }

    fn is_valid_end(&mut self, _: &[u8]) -> bool {
        self.valid_end
    }
}

/// Takes every state for a new one.
#[derive(Default)]
struct AllNew(u64);

impl StateStore for AllNew {
    const EXACT: bool = false;
    const READABLE: bool = false;
    const ORDERED: bool = false;

    fn prepare(&mut self, _: &[u8]) -> Key {
        Key::default()
    }

    fn insert(&mut self, _: &[u8], _: Key) -> Insert {
        self.0 += 1;
        Insert::New(StateId::from_bits(0))
    }

    fn find(&self, _: &[u8], _: Key) -> Option<StateId> {
        None
    }

    fn read(&self, _: StateId) -> &[u8] {
        &[]
    }

    fn next_id(&self, _: Option<StateId>) -> Option<StateId> {
        None
    }

    fn note(&mut self, _: StateId) -> &mut [u8] {
        &mut []
    }

    fn len(&self) -> u64 {
        self.0
    }

    fn save(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn restore(&mut self, _: &mut dyn Read) -> io::Result<()> {
        Ok(())
    }

    fn memory_bytes(&self) -> usize {
        0
    }
}

fn descend(end: u64, stack_in_memory: usize) -> Outcome {
    let config = SearchConfig {
        stack_in_memory,
        ..ALL_ERRORS
    };
    let mut line = Line {
        end,
        valid_end: true,
    };
    let outcome = dfs(&mut line, &mut AllNew::default(), &config);
    assert_eq!(outcome.completion(), Completion::Complete);
    assert_eq!(outcome.statistics.stored, end);
    assert_eq!(outcome.statistics.depth, end - 1);
    println!(
        "{end} levels: {} MB, {:?}",
        outcome.stack_bytes >> 20,
        outcome.duration
    );
    outcome
}

#[test]
fn three_million_levels() {
    let in_memory = descend(3_000_000, usize::MAX);
    assert!(in_memory.stack_bytes < 3_000_000 * 8);
    let spilled = descend(3_000_000, 4 << 20);
    assert!(spilled.stack_bytes < 8 << 20);
}

#[test]
#[cfg(not(debug_assertions))]
fn hundred_million_levels() {
    assert!(descend(100_000_000, 2 << 30).stack_bytes < 2 << 30);
    assert!(descend(100_000_000, 256 << 20).stack_bytes < 300 << 20);
}

#[test]
fn a_deep_error_has_its_trace() {
    for order in [Order::Spin, Order::Shuffled(3)] {
        let config = SearchConfig {
            order,
            stack_in_memory: 0,
            ..ALL_ERRORS
        };
        let mut line = Line {
            end: 1_000_000,
            valid_end: false,
        };
        let outcome = dfs(&mut line, &mut AllNew::default(), &config);
        assert_eq!(outcome.findings()[0].trace.steps.len(), 999_999);
        assert_eq!(outcome.findings()[0].depth, 999_998);
    }
}
