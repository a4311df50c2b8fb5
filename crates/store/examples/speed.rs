//! Time and memory of the stores under a load that looks like a search.
//!
//! `speed <store> <million states> <bytes of a vector> [rounds] [batch] [bitstate bytes]`, where the store is
//! `driver` (the load alone), `plain`, `tree`, `compact` or `bitstate`.
//!
//! A breadth-first search over a random graph. States are vectors of which 10 to 14 bytes take
//! the values 1 to 4; each has four successors, which differ from it in 1 to 4 of these bytes.
//! Nearly all states are reached, so three of four look-ups find a known one.

use std::time::SystemTime;

use store::{BitstateStore, CompactStore, Key, PlainStore, StateStore, TreeStore};

const SUCCESSORS: u64 = 4;

/// The graph.
struct Load {
    states: u64,
    bytes: usize,
    digits: u32,
    batch: usize,
}

fn random(n: u64) -> u64 {
    let n = (n ^ n >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (n ^ n >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Load {
    /// Where a digit lies in the vector.
    fn at(&self, digit: u32) -> usize {
        digit as usize * self.bytes / self.digits as usize
    }

    fn vector(&self, number: u64, vector: &mut [u8]) {
        for digit in 0..self.digits {
            vector[self.at(digit)] = (number >> (2 * digit)) as u8 % 4 + 1;
        }
    }

    /// Turn the vector of a state into that of successor `which`.
    fn step(&self, number: u64, which: u64, vector: &mut [u8]) -> u64 {
        let mut source = random(number * SUCCESSORS + which);
        let mut next = number;
        for _ in 0..=source >> 62 {
            let digit = ((source & 0xffff) as u32 * self.digits) >> 16;
            let value = source >> 16 & 3;
            source = source.rotate_right(18);
            let changed = next & !(3 << (2 * digit)) | value << (2 * digit);
            if changed < self.states {
                next = changed;
                vector[self.at(digit)] = value as u8 + 1;
            }
        }
        next
    }

    /// The whole search. Returns the number of look-ups.
    fn search(&self, visited: &mut impl Visited) -> u64 {
        let mut parent = vec![0; self.bytes];
        let mut vectors = vec![0; self.batch * self.bytes];
        let mut numbers = vec![0; self.batch];
        let mut keys = vec![Key::default(); self.batch];
        let mut queue = vec![0u32];
        let mut at = 0;
        while at < queue.len() {
            let parents = (self.batch / SUCCESSORS as usize).min(queue.len() - at);
            let mut slots = vectors.chunks_exact_mut(self.bytes).enumerate();
            for &number in &queue[at..at + parents] {
                self.vector(number.into(), &mut parent);
                visited.focus(&parent);
                for which in 0..SUCCESSORS {
                    let (i, vector) = slots.next().expect("a place in the batch");
                    vector.copy_from_slice(&parent);
                    numbers[i] = self.step(number.into(), which, vector) as u32;
                    keys[i] = visited.prepare(vector, numbers[i]);
                }
            }
            let count = parents * SUCCESSORS as usize;
            keys[..count].iter_mut().for_each(|key| visited.touch(key));
            let slots = vectors.chunks_exact(self.bytes);
            for ((vector, &number), &key) in slots.zip(&numbers).zip(&keys).take(count) {
                if visited.is_new(vector, number, key) {
                    queue.push(number);
                }
            }
            at += parents;
        }
        queue.len() as u64 * SUCCESSORS
    }
}

/// What the search asks.
trait Visited {
    fn focus(&mut self, state: &[u8]);
    fn prepare(&mut self, state: &[u8], number: u32) -> Key;
    fn touch(&self, key: &mut Key);
    fn is_new(&mut self, state: &[u8], number: u32, key: Key) -> bool;
    fn report(&self) -> (u64, usize);
}

impl<S: StateStore> Visited for S {
    #[inline]
    fn focus(&mut self, state: &[u8]) {
        StateStore::focus(self, state);
    }
    #[inline]
    fn prepare(&mut self, state: &[u8], _number: u32) -> Key {
        StateStore::prepare(self, state)
    }
    #[inline]
    fn touch(&self, key: &mut Key) {
        StateStore::touch(self, key);
    }
    #[inline]
    fn is_new(&mut self, state: &[u8], _number: u32, key: Key) -> bool {
        self.insert(state, key).is_new()
    }
    fn report(&self) -> (u64, usize) {
        (self.len(), self.memory_bytes())
    }
}

/// The load alone: one bit for each number.
struct Driver(Vec<u64>);

impl Visited for Driver {
    fn focus(&mut self, _state: &[u8]) {}
    fn prepare(&mut self, _state: &[u8], _number: u32) -> Key {
        Key::default()
    }
    fn touch(&self, _key: &mut Key) {}
    fn is_new(&mut self, _state: &[u8], number: u32, _key: Key) -> bool {
        let word = &mut self.0[number as usize / 64];
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
    fn report(&self) -> (u64, usize) {
        let ones = self.0.iter().map(|word| u64::from(word.count_ones())).sum();
        (ones, 8 * self.0.len())
    }
}

/// The time this process had a processor, where the system tells it, or else the time.
fn cpu_ns() -> f64 {
    let said = std::fs::read_to_string("/proc/self/schedstat").ok();
    (said.as_deref().and_then(|text| text.split(' ').next()))
        .and_then(|first| first.parse().ok())
        .unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            now.map_or(0.0, |now| now.as_secs_f64() * 1e9)
        })
}

/// Run several times; print the best time per look-up and the memory per state.
fn measure<V: Visited>(name: &str, load: &Load, rounds: usize, new: impl Fn() -> V) {
    let mut best = f64::INFINITY;
    let mut line = String::new();
    for _ in 0..rounds {
        let start = cpu_ns();
        let mut visited = new();
        let looks = load.search(&mut visited);
        let time = (cpu_ns() - start) / looks as f64;
        best = best.min(time);
        let (len, bytes) = visited.report();
        let bytes = bytes as f64 / len as f64;
        line = format!(
            "{name:9} {len:9} states of {:3} bytes: {best:6.1} ns a look-up, {bytes:6.2} bytes a state",
            load.bytes
        );
    }
    println!("{line}");
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: f64| -> f64 {
        (args.get(at)).map_or(default, |arg| arg.parse().expect("a number"))
    };
    let states = (number(1, 1.0) * 1e6) as u64;
    let load = Load {
        states,
        bytes: number(2, 48.0) as usize,
        digits: (64 - (states - 1).leading_zeros()).div_ceil(2),
        batch: number(4, 64.0) as usize,
    };
    let rounds = number(3, 3.0) as usize;
    match args.first().map(String::as_str) {
        Some("driver") => measure("driver", &load, rounds, || {
            Driver(vec![0; states.div_ceil(64) as usize])
        }),
        Some("plain") => measure("plain", &load, rounds, PlainStore::new),
        Some("tree") => measure("tree", &load, rounds, TreeStore::new),
        Some("compact") => measure("compact", &load, rounds, CompactStore::new),
        Some("bitstate") => measure("bitstate", &load, rounds, || {
            let bytes = states as f64 * number(5, 4.0);
            BitstateStore::new(bytes as usize, BitstateStore::FUNCTIONS, 0)
        }),
        _ => eprintln!("usage: speed <store> <million states> <bytes> [rounds] [batch]"),
    }
}
