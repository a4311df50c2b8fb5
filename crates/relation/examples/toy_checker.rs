//! A model checker in one file: it reads a relation that `cargo xtask relation MODEL --out FILE` has
//! written, visits all states, and counts states, transitions, deadlocks and violated assertions.
//!
//! It knows nothing of Promela, and uses nothing but the standard library. `docs/relation.md`
//! describes the file. Run it with `cargo run -p relation --example toy_checker FILE`.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::process::ExitCode;

/// A state, or a difference between two: a few words with a bit field for each part of the model.
type State = Vec<u64>;

/// A bit field.
struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

impl Field {
    /// The number in it.
    fn get(&self, state: &State) -> usize {
        (state[self.word] >> self.shift & ((1 << self.bits) - 1)) as usize
    }
}

/// What a process can do in all states that agree on the parts that decide about it.
struct Row {
    /// What is different behind each move.
    moves: Vec<State>,
    /// Whether the process can move, though perhaps no move leads to a state.
    moved: bool,
    /// The assertions that fail on the way.
    assertions: Vec<u32>,
}

/// A process.
struct Process {
    /// Where it stands: the number of its frame.
    frame: Field,
    /// For each number, whether it may end there.
    ends: Vec<bool>,
    /// First the steps, then those that wait for a timeout: for each number the bits of a state that
    /// decide, and the rows by these bits.
    phases: Vec<(Vec<State>, HashMap<State, Row>)>,
}

struct Relation {
    initial: State,
    /// The bits that distinguish states.
    visible: State,
    /// Which processes there are, and how many that makes.
    population: Field,
    counts: Vec<usize>,
    /// The state of the event trace, and in which it may end.
    event: Option<(Field, Vec<bool>)>,
    processes: Vec<Process>,
}

/// Reads numbers and words, which are little-endian.
struct Reader<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (front, rest) = self
            .bytes
            .split_first_chunk()
            .expect("the file ends too soon");
        self.bytes = rest;
        *front
    }

    fn number(&mut self) -> usize {
        u32::from_le_bytes(self.take()) as usize
    }

    /// A list of so many things.
    fn list<T>(&mut self, count: usize, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| item(self)).collect()
    }

    fn words(&mut self) -> State {
        self.list(self.width, |reader| u64::from_le_bytes(reader.take()))
    }

    fn flags(&mut self, count: usize) -> Vec<bool> {
        self.list(count, |reader| reader.take::<1>() != [0])
    }

    fn field(&mut self) -> Field {
        let [word, shift, bits] = [self.number(), self.number(), self.number()];
        Field {
            word,
            shift: shift as u32,
            bits: bits as u32,
        }
    }

    fn row(&mut self) -> (State, Row) {
        let key = self.words();
        let count = self.number();
        let moves = self.list(count, |reader| {
            let delta = reader.words();
            let _levels = reader.number();
            delta
        });
        let (_atomic_steps, moved) = (self.number(), self.number() != 0);
        let count = self.number();
        let violations = self.list(count, |reader| (reader.number(), reader.number()));
        let assertions = violations
            .iter()
            .filter(|(is_assertion, _)| *is_assertion != 0);
        let assertions = assertions.map(|(_, site)| *site as u32).collect();
        (
            key,
            Row {
                moves,
                moved,
                assertions,
            },
        )
    }

    fn process(&mut self) -> Process {
        let frame = self.field();
        let count = self.number();
        let ends = self.flags(count);
        let phases = self.list(2, |reader| {
            let masks = reader.list(count, Self::words);
            let rows = reader.number();
            (masks, reader.list(rows, Self::row).into_iter().collect())
        });
        Process {
            frame,
            ends,
            phases,
        }
    }

    fn relation(&mut self) -> Relation {
        assert_eq!(&self.take::<8>(), b"spinrel1", "not a relation");
        self.width = self.number();
        let (initial, visible, population) = (self.words(), self.words(), self.field());
        let count = self.number();
        let counts = self.list(count, Self::number);
        let ends = self.number();
        let event = (ends > 0).then(|| (self.field(), self.flags(ends)));
        let count = self.number();
        let processes = self.list(count, Self::process);
        Relation {
            initial,
            visible,
            population,
            counts,
            event,
            processes,
        }
    }
}

fn and(state: &State, mask: &State) -> State {
    state
        .iter()
        .zip(mask)
        .map(|(state, mask)| state & mask)
        .collect()
}

impl Relation {
    /// What each process can do in a state, and whether one can move.
    fn rows(&self, state: &State, phase: usize) -> (Vec<&Row>, bool) {
        let count = self.counts[self.population.get(state)];
        let row = |process: &Process| {
            let (masks, rows) = &process.phases[phase];
            rows.get(&and(state, &masks[process.frame.get(state)]))
        };
        let rows: Vec<&Row> = self.processes[..count].iter().filter_map(row).collect();
        let moved = rows.iter().any(|row| row.moved || !row.moves.is_empty());
        (rows, moved)
    }

    /// Whether nothing is wrong if no process can move.
    fn may_end(&self, state: &State) -> bool {
        let count = self.counts[self.population.get(state)];
        let may_end = |process: &Process| process.ends[process.frame.get(state)];
        let event = self.event.as_ref();
        self.processes[..count].iter().all(may_end)
            && (count == 0 || event.is_none_or(|(field, ends)| ends[field.get(state)]))
    }
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: toy_checker FILE");
        return ExitCode::FAILURE;
    };
    let bytes = std::fs::read(path).expect("a file that can be read");
    let relation = Reader {
        bytes: &bytes,
        width: 0,
    }
    .relation();
    let mut seen = HashSet::from([and(&relation.initial, &relation.visible)]);
    let mut open = vec![relation.initial.clone()];
    let (mut transitions, mut deadlocks, mut assertions) = (1, 0, BTreeSet::new());
    while let Some(state) = open.pop() {
        let (mut rows, mut moved) = relation.rows(&state, 0);
        if !moved {
            let (late, can_move) = relation.rows(&state, 1);
            rows.extend(late);
            moved = can_move;
        }
        deadlocks += usize::from(!moved && !relation.may_end(&state));
        for row in rows {
            assertions.extend(&row.assertions);
            transitions += row.moves.len();
            for delta in &row.moves {
                let next: State = state.iter().zip(delta).map(|(a, b)| a ^ b).collect();
                if seen.insert(and(&next, &relation.visible)) {
                    open.push(next);
                }
            }
        }
    }
    println!(
        "{} states, {transitions} transitions, {deadlocks} deadlocks, {} violated assertions",
        seen.len(),
        assertions.len()
    );
    ExitCode::SUCCESS
}
