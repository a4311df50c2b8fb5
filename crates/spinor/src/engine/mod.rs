//! Runs the search that was chosen: a backend, a store and an algorithm, as one.

mod audit;
mod collapse;
mod cycles;
mod por;
mod prepare;
mod symmetry;
mod unroll;

use std::path::Path;
use std::time::{Duration, Instant};

use model::{Interp, Model};
use reduce::check::{Audit, Decided, Taken};
use reduce::orbit::Orbits;
use reduce::{Reduced, Reducer, Reduction};
use search::{Checkpoint, OrbitStore, Order, Outcome, ResumeError, SearchConfig};
use serde::Serialize;
use space::NextState;
use store::{BitstateStore, CompactStore, PlainStore, StateStore, TreeStore};

use crate::commands::check::{Backend, Por, Search, SearchOptions, Store};

pub use audit::audit_symmetry;
pub use cycles::{CycleRan, CycleSearch, CycleStrategy, search_cycles};
pub use por::PorChoice;
use prepare::Prepared;
pub use symmetry::SymmetryChoice;
pub use unroll::unroll;

/// Bytes of the bitstate store unless told otherwise.
const BITSTATE_BYTES: u64 = 512 << 20;
/// Depth limits of the members of a swarm that have one.
const SWARM_DEPTHS: [u64; 3] = [100_000, 10_000, 1_000];

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// What executes the model.
    pub backend: Backend,
    /// How visited states are kept.
    pub store: Store,
    /// The algorithm.
    pub search: Search,
    /// Whether counterexamples are to be as short as possible.
    pub shortest: bool,
    /// Bits of a state in the bitstate store.
    pub hash_functions: u32,
    /// Bytes of the bitstate store.
    pub bitstate_bytes: u64,
    /// Members of the swarm.
    pub swarm: Option<u32>,
    /// Whether partial-order reduction is checked.
    pub check_por: bool,
    /// Whether processes are put to sleep.
    pub sleeps: bool,
    /// Whether states may be collapsed.
    pub collapses: bool,
}

impl Strategy {
    /// What the options ask for, or why that cannot be had.
    pub fn new(options: &SearchOptions) -> Result<Strategy, String> {
        let strategy = Strategy {
            backend: options.backend,
            store: match options.swarm {
                Some(_) => Store::Bitstate,
                None => options.store,
            },
            search: match options.search {
                Some(search) if !search.is_for_cycles() => search,
                _ => Search::Dfs,
            },
            shortest: options.shortest,
            hash_functions: options.hash_functions,
            bitstate_bytes: options.memory.unwrap_or(BITSTATE_BYTES),
            swarm: options.swarm,
            check_por: options.check_por,
            sleeps: options.por.is_some_and(Por::sleeps),
            collapses: !options.no_collapse,
        };
        let files = options.checkpoint.is_some() || options.resume.is_some();
        let other_store = matches!(options.store, Store::Tree | Store::Compact);
        if options.swarm.is_some() && other_store {
            return Err("--swarm goes with --store bitstate only".to_owned());
        }
        match strategy.conflict(files) {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(strategy),
        }
    }

    /// Why the parts of the strategy do not go together.
    fn conflict(&self, files: bool) -> Option<&'static str> {
        let shortening = self.shortest && self.search != Search::Bfs;
        let by_depth = self.search == Search::DepthLimited || shortening;
        if by_depth && self.store == Store::Bitstate {
            Some(
                "the bitstate store cannot keep the depths that this search needs; take another store",
            )
        } else if self.shortest && self.search == Search::Stateless {
            Some("--shortest and --search stateless do not go together; take --search bfs")
        } else if self.swarm.is_some() && self.check_por {
            Some("--check-por checks one search; leave out --swarm")
        } else if self.swarm.is_some() && self.search != Search::Dfs {
            Some("--swarm goes with --search dfs only")
        } else if files && (by_depth || self.swarm.is_some() || self.search == Search::Stateless) {
            Some("--checkpoint and --resume go with --search dfs and --search bfs only")
        } else {
            None
        }
    }

    /// Why partial-order reduction does not go with it.
    pub fn por_conflict(&self, files: bool) -> Option<&'static str> {
        if self.shortest {
            Some("a shortest counterexample may be among the executions that are left out")
        } else if !matches!(self.search, Search::Dfs | Search::Bfs) {
            Some("it goes with --search dfs and --search bfs only")
        } else if self.sleeps && self.search != Search::Dfs {
            Some("sleep sets go with --search dfs only")
        } else if self.sleeps && self.store == Store::Bitstate {
            Some("the bitstate store cannot keep who sleeps; take another store")
        } else if files {
            Some("a search with --checkpoint or --resume takes all steps")
        } else {
            None
        }
    }

    /// Why symmetry reduction does not go with it.
    pub fn symmetry_conflict(&self, files: bool) -> Option<&'static str> {
        if self.search == Search::Stateless {
            Some("a search without a store knows no states")
        } else if files {
            Some("a search with --checkpoint or --resume tells all states apart")
        } else if self.sleeps {
            Some("sleep sets speak of processes by their names")
        } else if self.check_por {
            Some("--check-por looks at states as they are")
        } else {
            None
        }
    }

    /// The name of the search in the report.
    pub fn search_name(&self) -> &'static str {
        match (self.search, self.shortest) {
            (Search::Bfs, _) => "bfs",
            (Search::Stateless, _) => "stateless",
            (_, true) => "shortening",
            (Search::DepthLimited, false) => "depth-limited",
            (_, false) => "dfs",
        }
    }

    /// The name of the store in the report.
    pub fn store_name(&self) -> &'static str {
        match self.store {
            _ if self.search == Search::Stateless => "none",
            Store::Plain => "plain",
            Store::Tree => "tree",
            Store::Compact => "compact",
            Store::Bitstate => "bitstate",
        }
    }
}

/// How much a store that is not exact may have missed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// Bits of a bitstate store for each state.
    pub hash_factor: Option<f64>,
    /// The part of the states that a bitstate search is expected to have seen.
    pub coverage: Option<f64>,
    /// The probability that hash compaction missed a state at all.
    pub omission_probability: Option<f64>,
}

impl Estimate {
    fn of_compact(store: &CompactStore) -> Estimate {
        Estimate {
            omission_probability: Some(store.omission_probability()),
            ..Estimate::default()
        }
    }

    fn of_bitstate(store: &BitstateStore) -> Estimate {
        Estimate {
            hash_factor: Some(store.hash_factor()),
            coverage: Some(store.coverage()),
            ..Estimate::default()
        }
    }
}

/// A search that has ended.
pub struct Ran {
    /// What it came to.
    pub outcome: Outcome,
    /// What executed the model in the end.
    pub backend: Backend,
    /// The time to make machine code.
    pub compile: Duration,
    /// What the store may have missed.
    pub estimate: Option<Estimate>,
    /// What a check of the reduction came to, if it was made.
    pub audit: Option<Result<Audit, String>>,
}

/// A search to be taken up again: the file, and what it must have been made for.
#[derive(Clone, Copy)]
pub struct Resume<'a> {
    /// The file.
    pub path: &'a Path,
    /// Of the model and the options.
    pub fingerprint: u64,
}

/// Search a model.
pub fn run(
    model: &Model,
    strategy: &Strategy,
    reduction: Option<&Reduction>,
    orbits: Option<Orbits<'_>>,
    config: &SearchConfig<'_>,
    resume: Option<Resume<'_>>,
) -> Result<Ran, ResumeError> {
    let Prepared {
        compiled,
        compile,
        reducer,
    } = Prepared::new(model, strategy.backend, reduction);
    let record = strategy.check_por.then(|| {
        let interp = Interp::new(model);
        Taken::new(interp.hidden_len())
    });
    let (backend, (mut outcome, estimate), reducer, taken) = match compiled {
        Some(model) => {
            let mut jit = Reduced {
                model,
                reducer,
                taken: record,
            };
            let answer = store(&mut jit, strategy, orbits, config, resume)?;
            (Backend::Jit, answer, jit.reducer, jit.taken)
        }
        // A machine without a compiler still has the interpreter.
        None => {
            let mut interp = Reduced {
                model: Interp::new(model),
                reducer,
                taken: record,
            };
            let answer = store(&mut interp, strategy, orbits, config, resume)?;
            (Backend::Interp, answer, interp.reducer, interp.taken)
        }
    };
    if let Some(reducer) = reducer {
        reducer.add_ends(&mut outcome.reached);
    }
    let audit = taken.and_then(|taken| audit::audit(model, reduction, Decided::BySearch(&taken)));
    Ok(Ran {
        audit,
        outcome,
        backend,
        compile,
        estimate,
    })
}

type Answer = Result<(Outcome, Option<Estimate>), ResumeError>;

/// Choose the store.
fn store<M: NextState>(
    model: &mut Reduced<'_, M>,
    strategy: &Strategy,
    orbits: Option<Orbits<'_>>,
    config: &SearchConfig<'_>,
    resume: Option<Resume<'_>>,
) -> Answer {
    let by_depth = matches!(strategy.search_name(), "depth-limited" | "shortening");
    let note = match strategy.sleeps {
        true => search::SLEEP_NOTE_BYTES,
        false if by_depth => search::NOTE_BYTES,
        false => 0,
    };
    if strategy.search == Search::Stateless {
        return Ok((search::stateless(model, config), None));
    }
    let mut config = *config;
    if orbits.is_none() && resume.is_none() {
        let started = Instant::now();
        if let Some(answer) = collapse::collapsed(model, strategy, &config) {
            return Ok(answer);
        }
        let used = started.elapsed();
        config.time_limit = config.time_limit.map(|limit| limit.saturating_sub(used));
    }
    let config = &config;
    match strategy.store {
        Store::Plain => {
            let store = PlainStore::with_note(note);
            let (outcome, _) = reduced(model, store, strategy, orbits, config, resume)?;
            Ok((outcome, None))
        }
        Store::Tree => {
            let store = TreeStore::with_note(note);
            let (outcome, _) = reduced(model, store, strategy, orbits, config, resume)?;
            Ok((outcome, None))
        }
        Store::Compact => {
            let store = CompactStore::with_note(note);
            let (outcome, store) = reduced(model, store, strategy, orbits, config, resume)?;
            Ok((outcome, Some(Estimate::of_compact(&store))))
        }
        Store::Bitstate => swarm(model, strategy, orbits, config, resume),
    }
}

/// One bitstate search, or several different ones.
fn swarm<M: NextState>(
    model: &mut Reduced<'_, M>,
    strategy: &Strategy,
    orbits: Option<Orbits<'_>>,
    config: &SearchConfig<'_>,
    resume: Option<Resume<'_>>,
) -> Answer {
    let bytes = usize::try_from(strategy.bitstate_bytes).unwrap_or(usize::MAX);
    let mut found: Option<Outcome> = None;
    let mut estimate = Estimate::default();
    for member in 0..strategy.swarm.unwrap_or(1) {
        let functions = strategy.hash_functions + member % 2;
        let store = BitstateStore::new(bytes, functions, u64::from(member));
        let config = SearchConfig {
            order: match member {
                0 => Order::Spin,
                1 => Order::Reversed,
                _ => Order::Shuffled(u64::from(member)),
            },
            depth: config.depth.or_else(|| swarm_depth(member)),
            time_limit: config.time_limit.map(|limit| {
                let used = found
                    .as_ref()
                    .map_or(Duration::ZERO, |found| found.duration);
                limit.saturating_sub(used)
            }),
            ..*config
        };
        let orbits = orbits.clone();
        let (outcome, store) = reduced(model, store, strategy, orbits, &config, resume)?;
        estimate.hash_factor = least(estimate.hash_factor, store.hash_factor());
        estimate.coverage = Some(estimate.coverage.unwrap_or(0.0).max(store.coverage()));
        let over = ends_swarm(&outcome);
        match &mut found {
            None => found = Some(outcome),
            Some(all) => all.absorb(outcome),
        }
        if over {
            break;
        }
    }
    let found = found.expect("a swarm has a member");
    Ok((found, Some(estimate)))
}

/// Every fourth member goes less deep, and so into another part of a deep space.
fn swarm_depth(member: u32) -> Option<u64> {
    (member % 4 == 3).then(|| SWARM_DEPTHS[(member / 4) as usize % SWARM_DEPTHS.len()])
}

/// Whether the other members need not run.
fn ends_swarm(outcome: &Outcome) -> bool {
    use search::Completion::{ErrorLimit, Interrupted, TimeLimit};
    matches!(outcome.completion(), ErrorLimit | Interrupted | TimeLimit)
}

fn least(a: Option<f64>, b: f64) -> Option<f64> {
    Some(a.map_or(b, |a| a.min(b)))
}

/// Search with representatives in the store, if there are any.
fn reduced<M: NextState, S: StateStore>(
    model: &mut Reduced<'_, M>,
    mut store: S,
    strategy: &Strategy,
    orbits: Option<Orbits<'_>>,
    config: &SearchConfig<'_>,
    resume: Option<Resume<'_>>,
) -> Result<(Outcome, S), ResumeError> {
    match orbits {
        None => {
            let outcome = search(model, &mut store, strategy, config, resume)?;
            Ok((outcome, store))
        }
        Some(orbits) => {
            let mut store = OrbitStore::<_, _, false>::new(store, orbits);
            let outcome = search(model, &mut store, strategy, config, resume)?;
            Ok((outcome, store.into_inner()))
        }
    }
}

/// Choose the algorithm.
fn search<M: NextState, S: StateStore>(
    model: &mut Reduced<'_, M>,
    store: &mut S,
    strategy: &Strategy,
    config: &SearchConfig<'_>,
    resume: Option<Resume<'_>>,
) -> Result<Outcome, ResumeError> {
    let from = resume.map(|resume| Checkpoint {
        path: resume.path,
        interval: Duration::MAX,
        fingerprint: resume.fingerprint,
    });
    Ok(match (strategy.search, from) {
        (Search::Bfs, None) => search::bfs(model, store, config),
        (Search::Bfs, Some(from)) => search::bfs_resume(model, store, config, &from)?,
        _ if strategy.shortest => search::shortening(model, store, config),
        (Search::DepthLimited, _) => search::depth_limited(model, store, config),
        (_, None) if model.reducer.as_ref().is_some_and(Reducer::sleeps) => {
            search::sleep_dfs(model, store, config)
        }
        (_, None) if model.reducer.is_some() => search::reduced_dfs(model, store, config),
        (_, None) => search::dfs(model, store, config),
        (_, Some(from)) => search::dfs_resume(model, store, config, &from)?,
    })
}
