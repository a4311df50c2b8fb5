//! How fast the plain store takes new and known states of 48 bytes, and what they cost.

use std::time::Instant;

use store::PlainStore;

fn main() {
    for millions in [1, 10] {
        let count = millions * 1_000_000;
        let mut store = PlainStore::new();
        for round in ["new", "known"] {
            let start = Instant::now();
            for n in 0..count {
                // Known states are met in another order than they were stored in.
                let n = if round == "new" { n } else { n * 7_919 % count };
                let inserted = store.insert(&state(n));
                assert_eq!(inserted.is_new(), round == "new");
            }
            let seconds = start.elapsed().as_secs_f64();
            let rate = count as f64 / seconds / 1e6;
            println!("{millions} M states, {round}: {rate:.1} M inserts/s");
        }
        let bytes = store.memory_bytes() as f64 / count as f64;
        println!("{millions} M states: {bytes:.2} bytes each");
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", peak.unwrap_or_default());
    }
}

fn state(n: u64) -> [u8; 48] {
    // Whole words: bytes written one by one and read as words by the hash would make the
    // processor wait, and that is not what is measured.
    let mut state = [0; 48];
    for (word, shift) in state.chunks_exact_mut(8).zip((0..).step_by(6)) {
        word.copy_from_slice(&(n >> shift & 63).to_le_bytes());
    }
    state
}
