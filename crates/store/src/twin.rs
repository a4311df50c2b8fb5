//! Every store against a hash map.

use std::collections::HashMap;

use crate::{Insert, Key, Near, StateId, StateStore};

/// Numbers that look random, the same on every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) % below
    }
}

/// What states to try, and how.
#[derive(Clone, Copy)]
struct Plan {
    rng_seed: u64,
    count: usize,
    min_len: u64,
    max_len: u64,
    values: u64,
    /// This many states are prepared before any of them is inserted.
    batch: usize,
    /// Whether to say which state comes before, and whether that is true.
    focus: Option<bool>,
}

const PLAN: Plan = Plan {
    rng_seed: 1,
    count: 10_000,
    min_len: 0,
    max_len: 9,
    values: 3,
    batch: 1,
    focus: None,
};

/// A random state, or one near the last.
fn next_state(numbers: &mut Numbers, plan: &Plan, last: &[u8]) -> Vec<u8> {
    if plan.focus.is_none() || numbers.next(20) == 0 || last.is_empty() {
        let len = plan.min_len + numbers.next(plan.max_len - plan.min_len + 1);
        return (0..len).map(|_| numbers.next(plan.values) as u8).collect();
    }
    let mut state = last.to_vec();
    for _ in 0..=numbers.next(3) {
        let at = numbers.next(state.len() as u64) as usize;
        state[at] = numbers.next(plan.values) as u8;
    }
    if numbers.next(10) == 0 {
        let len = plan.min_len + numbers.next(plan.max_len - plan.min_len + 1);
        state.resize(len as usize, 0);
    }
    state
}

fn check<S: StateStore>(mut store: S, plan: Plan) {
    let mut numbers = Numbers(plan.rng_seed);
    let mut twin: HashMap<Vec<u8>, StateId> = HashMap::new();
    let mut last = Vec::new();
    for _ in 0..plan.count / plan.batch {
        match plan.focus {
            Some(true) => store.focus(&last),
            Some(false) => store.focus(&next_state(&mut numbers, &plan, &last)),
            None => {}
        }
        let states: Vec<Vec<u8>> = (0..plan.batch)
            .map(|_| next_state(&mut numbers, &plan, &last))
            .collect();
        let mut keys: Vec<Key> = Vec::new();
        let batch = states.iter().zip(1..).map(|(state, end)| Near {
            state,
            near: numbers.next(end) as u32,
        });
        store.keys(batch, &mut keys);
        for (state, key) in states.iter().zip(&keys) {
            assert_eq!(store.prepare(state).bits, key.bits);
        }
        keys.iter_mut().for_each(|key| store.touch(key));
        for (state, key) in states.into_iter().zip(keys) {
            assert_eq!(store.contains(&state, key), twin.contains_key(&state));
            match store.insert(&state, key) {
                Insert::New(id) => assert_eq!(twin.insert(state.clone(), id), None),
                Insert::Known(id) => assert_eq!(twin.get(&state), Some(&id)),
            }
            assert!(store.contains(&state, key));
            assert_eq!(store.len(), twin.len() as u64);
            last = state;
        }
    }
    let mut ids: Vec<_> = twin.into_iter().collect();
    ids.sort();
    for (state, id) in ids {
        let key = store.prepare(&state);
        assert_eq!(store.insert(&state, key), Insert::Known(id));
        if S::READABLE {
            assert_eq!(store.read(id), state);
        }
    }
}

/// All ways to use a store.
pub(crate) fn check_all<S: StateStore>(new: impl Fn() -> S) {
    for (batch, focus) in [
        (1, None),
        (64, None),
        (1, Some(true)),
        (50, Some(true)),
        (7, Some(false)),
    ] {
        let plan = Plan {
            batch,
            focus,
            ..PLAN
        };
        check(new(), plan);
        let (min_len, max_len, count) = (0, 48, 20_000);
        check(
            new(),
            Plan {
                rng_seed: 2,
                count,
                max_len,
                values: 256,
                ..plan
            },
        );
        let (fixed, long) = ((30, 30), (200, 300));
        for (rng_seed, (min_len, max_len)) in [(3, fixed), (4, long), (5, (min_len, 100))] {
            check(
                new(),
                Plan {
                    rng_seed,
                    count: 4_000,
                    min_len,
                    max_len,
                    values: 2,
                    ..plan
                },
            );
        }
        check(
            new(),
            Plan {
                count: 300,
                max_len: 5_000,
                values: 256,
                ..plan
            },
        );
        check(
            new(),
            Plan {
                count: 100,
                max_len: 0,
                ..plan
            },
        );
    }
    let mut store = new();
    let zeros = [0; 1000];
    for is_new in [true, false] {
        for len in 0..=zeros.len() {
            let key = store.prepare(&zeros[..len]);
            assert_eq!(store.insert(&zeros[..len], key).is_new(), is_new);
        }
    }
    assert_eq!(store.len(), 1001);
}

/// Some ten thousand states, with their ids.
fn filled<S: StateStore>(store: &mut S) -> Vec<(Vec<u8>, StateId)> {
    let mut numbers = Numbers(7);
    let mut states = Vec::new();
    for _ in 0..40_000 {
        let mut state = vec![0; 20 + numbers.next(3) as usize];
        for _ in 0..4 {
            let at = numbers.next(state.len() as u64) as usize;
            state[at] = numbers.next(4) as u8;
        }
        let key = store.prepare(&state);
        if let Insert::New(id) = store.insert(&state, key) {
            states.push((state, id));
        }
    }
    states
}

/// Notes are 0 at first and stay with their states.
pub(crate) fn check_notes<S: StateStore>(with_note: impl Fn(usize) -> S) {
    for bytes in [0, 1, 4, 6] {
        let mut store = with_note(bytes);
        let states = filled(&mut store);
        for (n, &(_, id)) in states.iter().enumerate() {
            assert_eq!(store.note(id), vec![0; bytes]);
            store.note(id).fill(n as u8);
        }
        filled(&mut store);
        for (n, &(_, id)) in states.iter().enumerate() {
            assert_eq!(store.note(id), vec![n as u8; bytes]);
        }
    }
}

/// What is saved and restored is the same store, and goes on like it.
pub(crate) fn check_save<S: StateStore>(new: impl Fn() -> S) {
    let mut store = new();
    let mut bytes = Vec::new();
    store.save(&mut bytes).unwrap();
    new().restore(&mut &bytes[..]).unwrap();
    let states = filled(&mut store);
    for (n, &(_, id)) in states.iter().enumerate() {
        store.note(id).fill(n as u8);
    }
    bytes.clear();
    store.save(&mut bytes).unwrap();
    bytes.push(9);
    let mut twin = new();
    let mut rest = &bytes[..];
    twin.restore(&mut rest).unwrap();
    assert_eq!(rest, [9]);
    assert_eq!(twin.len(), store.len());
    for (n, (state, id)) in states.iter().enumerate() {
        let key = twin.prepare(state);
        assert_eq!(twin.insert(state, key), Insert::Known(*id));
        let note = store.note(*id).to_vec();
        assert!(note.iter().all(|&byte| byte == n as u8));
        assert_eq!(twin.note(*id), note);
    }
    for n in 0..1000 {
        let state = vec![9; n];
        let (key, twin_key) = (store.prepare(&state), twin.prepare(&state));
        assert_eq!(store.insert(&state, key), twin.insert(&state, twin_key));
    }
    let cut = &bytes[..bytes.len() / 2];
    assert!(new().restore(&mut &cut[..]).is_err());
}
