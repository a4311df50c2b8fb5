//! A model checker in one file: it reads a relation that `cargo xtask relation MODEL --out FILE` has
//! written, visits all states, and counts states, transitions, deadlocks and violated assertions.
//!
//! It knows nothing of Promela, and uses nothing but the standard library. `docs/relation.md`
//! describes the file. Run it with `cargo run -p relation --example toy_checker FILE`.

use std::collections::{HashMap, HashSet};

/// A state, or a difference between two: a few words with a bit field for each part of the model.
type State = Vec<u64>;

/// A bit field.
struct Field {
    word: usize,
    shift: usize,
    bits: usize,
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
    /// Whether the process can move, perhaps to no other state than its ruin.
    moved: bool,
    /// The assertions that fail on the way.
    assertions: Vec<usize>,
}

/// A process.
struct Process {
    /// Where it stands: the number of its frame.
    frame: Field,
    /// For each number, whether it may end there.
    ends: Vec<bool>,
    /// First the steps, then those that wait for a timeout: for each number the bits of a state that
    /// decide, and the rows by these bits.
    phases: [(Vec<State>, HashMap<State, Row>); 2],
}

struct Relation {
    initial: State,
    /// The bits that distinguish states.
    visible: State,
    /// Which processes there are, and how many that makes.
    population: Field,
    process_counts: Vec<usize>,
    /// The state of the event trace, and in which it may end; empty if there is none.
    event: (Field, Vec<bool>),
    processes: Vec<Process>,
}

/// Reads numbers and words, which are little-endian.
struct Reader<'a> {
    bytes: &'a [u8],
    words: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (front, rest) = (self.bytes.split_first_chunk()).expect("the file ends too soon");
        self.bytes = rest;
        *front
    }

    fn number(&mut self) -> usize {
        u32::from_le_bytes(self.take()) as usize
    }

    /// A list begins with its length.
    fn list<T, L: FromIterator<T>>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> L {
        (0..self.number()).map(|_| item(self)).collect()
    }

    fn state(&mut self) -> State {
        let words = 0..self.words;
        words.map(|_| u64::from_le_bytes(self.take())).collect()
    }

    fn field(&mut self) -> Field {
        Field {
            word: self.number(),
            shift: self.number(),
            bits: self.number(),
        }
    }

    fn row(&mut self) -> Row {
        Row {
            moves: self.list(Self::state),
            moved: self.number() != 0,
            assertions: self.list(Self::number),
        }
    }

    fn phase(&mut self) -> (Vec<State>, HashMap<State, Row>) {
        let masks = self.list(Self::state);
        (masks, self.list(|reader| (reader.state(), reader.row())))
    }

    fn process(&mut self) -> Process {
        Process {
            frame: self.field(),
            ends: self.list(|reader| reader.take() != [0]),
            phases: [self.phase(), self.phase()],
        }
    }

    fn relation(&mut self) -> Relation {
        assert_eq!(&self.take::<8>(), b"spinrel1", "not a relation");
        self.words = self.number();
        Relation {
            initial: self.state(),
            visible: self.state(),
            population: self.field(),
            process_counts: self.list(Self::number),
            event: (self.field(), self.list(|reader| reader.take() != [0])),
            processes: self.list(Self::process),
        }
    }
}

/// The bits of a state under a mask.
fn and(state: &State, mask: &State) -> State {
    state.iter().zip(mask).map(|(a, b)| a & b).collect()
}

/// The state behind a difference.
fn xor(state: &State, delta: &State) -> State {
    state.iter().zip(delta).map(|(a, b)| a ^ b).collect()
}

impl Relation {
    fn processes(&self, state: &State) -> &[Process] {
        &self.processes[..self.process_counts[self.population.get(state)]]
    }

    /// What each process can do in a state.
    fn rows<'a>(&'a self, state: &State, phase: usize) -> Vec<&'a Row> {
        let row = |process: &'a Process| {
            let (masks, rows) = &process.phases[phase];
            rows.get(&and(state, &masks[process.frame.get(state)]))
        };
        self.processes(state).iter().filter_map(row).collect()
    }

    /// Whether nothing is wrong if no process can move.
    fn may_end(&self, state: &State) -> bool {
        let (field, event_ends) = &self.event;
        let processes = self.processes(state);
        (processes.iter()).all(|process| process.ends[process.frame.get(state)])
            && (processes.is_empty() || event_ends.is_empty() || event_ends[field.get(state)])
    }

    /// Visit all states: how many there are, and the transitions, deadlocks and violated assertions.
    fn check(&self) -> [usize; 4] {
        let mut seen = HashSet::from([and(&self.initial, &self.visible)]);
        let mut open = vec![self.initial.clone()];
        let (mut transitions, mut deadlocks, mut assertions) = (1, 0, HashSet::<usize>::new());
        let moved = |rows: &[&Row]| rows.iter().any(|row| row.moved);
        while let Some(state) = open.pop() {
            let mut rows = self.rows(&state, 0);
            if !moved(&rows) {
                rows.extend(self.rows(&state, 1));
            }
            deadlocks += usize::from(!moved(&rows) && !self.may_end(&state));
            for row in rows {
                assertions.extend(&row.assertions);
                transitions += row.moves.len();
                for next in row.moves.iter().map(|delta| xor(&state, delta)) {
                    if seen.insert(and(&next, &self.visible)) {
                        open.push(next);
                    }
                }
            }
        }
        [seen.len(), transitions, deadlocks, assertions.len()]
    }
}

/// Check a relation.
pub fn check(bytes: &[u8]) -> [usize; 4] {
    Reader { bytes, words: 0 }.relation().check()
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: toy_checker FILE");
    let counts = check(&std::fs::read(path).expect("a file that can be read"));
    let names = ["states", "transitions", "deadlocks", "violated assertions"];
    for (count, name) in counts.iter().zip(names) {
        println!("{count} {name}");
    }
}
