//! Runs a job: a machine, a store and an algorithm, put together once for each search.
//!
//! What a job combines was decided by its [plan](crate::plan); nothing is decided here.

mod audit;
mod collapse;
mod cycles;
mod packed;
mod prepare;
mod unroll;

use std::path::Path;
use std::time::{Duration, Instant};

use model::{Interp, Model};
use reduce::check::{Audit, Decided, Taken};
use reduce::{Reduced, Reducer};
use search::{
    Checkpoint, Exhaustive, OrbitStore, Order, Outcome, ResumeError, Rounds, SearchConfig,
};
use serde::Serialize;
use space::cancel::{self, CancelFlag, Cancelled};
use space::{NextState, Violation};
use store::{BitstateStore, CompactStore, PlainStore, StateStore, TreeStore};

use crate::options::{Backend, Store};
use crate::plan::feature::Feature;
use crate::plan::{Algorithm, Job};

pub use audit::audit_symmetry;
use prepare::Prepared;
pub use unroll::unroll;

/// Depth limits of the members of a swarm that have one.
const SWARM_DEPTHS: [u64; 3] = [100_000, 10_000, 1_000];

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
pub struct SearchResult {
    /// What it came to.
    pub outcome: Outcome,
    /// What executed the model in the end.
    pub backend: Backend,
    /// The time to make machine code.
    pub compile: Duration,
    /// What the store may have missed.
    pub estimate: Option<Estimate>,
    /// What a check of the partial-order reduction came to, if it was made.
    pub audit: Option<Result<Audit, String>>,
    /// The first error of the model that ended an execution, where the search does not report it.
    pub fault: Option<Violation>,
    /// What fair cycles under symmetry consist of, in the order of the findings that are cycles.
    pub rounds: Vec<Rounds>,
}

impl SearchResult {
    /// Proof that every reachable state was visited and every execution followed.
    pub fn exhaustive(&self) -> Option<Exhaustive> {
        // Without an initial state there is nothing that could be said.
        let searched = self.outcome.statistics.stored > 0 && self.fault.is_none();
        searched.then(|| self.outcome.exhaustive()).flatten()
    }
}

/// Why a search came to nothing.
#[derive(Debug)]
pub enum Stopped {
    /// It was cancelled before it began.
    Cancelled,
    /// The file to resume from does not fit.
    Resume(ResumeError),
}

impl From<Cancelled> for Stopped {
    fn from(_: Cancelled) -> Stopped {
        Stopped::Cancelled
    }
}

impl From<ResumeError> for Stopped {
    fn from(error: ResumeError) -> Stopped {
        Stopped::Resume(error)
    }
}

/// A saved search: the file, and what it must have been made for.
#[derive(Clone, Copy)]
pub struct Resume<'a> {
    /// The file.
    pub path: &'a Path,
    /// Of the model and the options.
    pub fingerprint: u64,
}

/// What a job gets from its surroundings.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Limits, and what is told of a search.
    pub config: &'a SearchConfig<'a>,
    /// Where to resume from.
    pub resume: Option<Resume<'a>>,
    /// Cancels what is done before the search; the search itself has its own flag in `config`.
    pub cancel: &'a CancelFlag,
    /// Called when everything is ready and the search begins.
    pub begins: &'a dyn Fn(),
}

/// Run a job on the model as written.
pub fn run(model: &Model, job: &Job, setting: Setting<'_>) -> Result<SearchResult, Stopped> {
    let mut config = *setting.config;
    if job.has(Feature::Collapse) && job.por.reduction().is_none() {
        (setting.begins)();
        let started = Instant::now();
        let searched = job.searched(model);
        let result = match &job.watcher {
            Some(watcher) => cycles::packed(watcher, job, searched, &config),
            None => {
                packed::search(searched, job, &config).map(|(outcome, estimate)| SearchResult {
                    outcome,
                    backend: job.backend,
                    compile: Duration::ZERO,
                    estimate,
                    audit: None,
                    fault: None,
                    rounds: Vec::new(),
                })
            }
        };
        if let Some(result) = result {
            return Ok(result);
        }
        let used = started.elapsed();
        config.time_limit = config.time_limit.map(|limit| limit.saturating_sub(used));
    }
    let setting = Setting {
        config: &config,
        ..setting
    };
    let prepare = || Prepared::new(job.searched(model), job.backend, job.por.reduction());
    let prepared = cancel::scope(setting.cancel, prepare)?;
    (setting.begins)();
    match &job.watcher {
        None => safety(job.searched(model), job, prepared, setting),
        Some(watcher) => Ok(cycles::run(watcher, job, model, prepared, setting)),
    }
}

/// Search for violations of safety.
fn safety(
    model: &Model,
    job: &Job,
    prepared: Prepared<'_>,
    setting: Setting<'_>,
) -> Result<SearchResult, Stopped> {
    let Prepared {
        compiled,
        compile,
        reducer,
    } = prepared;
    let record = job.has(Feature::CheckPor).then(|| {
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
            let answer = store(&mut jit, job, setting)?;
            (Backend::Jit, answer, jit.reducer, jit.taken)
        }
        // A machine without a compiler still has the interpreter.
        None => {
            let mut interp = Reduced {
                model: Interp::new(model),
                reducer,
                taken: record,
            };
            let answer = store(&mut interp, job, setting)?;
            (Backend::Interp, answer, interp.reducer, interp.taken)
        }
    };
    if let Some(reducer) = reducer {
        reducer.add_ends(&mut outcome.reached);
    }
    let audit = || taken.and_then(|taken| audit::audit(model, job, Decided::BySearch(&taken)));
    Ok(SearchResult {
        audit: cancel::scope(setting.cancel, audit)?,
        outcome,
        backend,
        compile,
        estimate,
        fault: None,
        rounds: Vec::new(),
    })
}

type Answer = Result<(Outcome, Option<Estimate>), ResumeError>;

/// Choose the store.
fn store<M: NextState>(model: &mut Reduced<'_, M>, job: &Job, setting: Setting<'_>) -> Answer {
    let note = match job.algorithm {
        _ if job.has(Feature::SleepSets) => search::SLEEP_NOTE_BYTES,
        Algorithm::DepthLimited | Algorithm::Shortening => search::NOTE_BYTES,
        _ => 0,
    };
    if job.algorithm == Algorithm::Stateless {
        return Ok((search::stateless(model, setting.config), None));
    }
    let mut config = *setting.config;
    if job.has(Feature::Collapse) && model.reducer.is_some() {
        let started = Instant::now();
        if let Some(answer) = collapse::collapsed(model, job, &config) {
            return Ok(answer);
        }
        let used = started.elapsed();
        config.time_limit = config.time_limit.map(|limit| limit.saturating_sub(used));
    }
    let setting = Setting {
        config: &config,
        ..setting
    };
    match job.store {
        Store::Plain => {
            let (outcome, _) = represented(model, PlainStore::with_note(note), job, setting)?;
            Ok((outcome, None))
        }
        Store::Tree => {
            let (outcome, _) = represented(model, TreeStore::with_note(note), job, setting)?;
            Ok((outcome, None))
        }
        Store::Compact => {
            let store = CompactStore::with_note(note);
            let (outcome, store) = represented(model, store, job, setting)?;
            Ok((outcome, Some(Estimate::of_compact(&store))))
        }
        Store::Bitstate => swarm(model, job, setting),
    }
}

/// One bitstate search, or several different ones.
fn swarm<M: NextState>(model: &mut Reduced<'_, M>, job: &Job, setting: Setting<'_>) -> Answer {
    let tuning = &job.tuning;
    let limits = setting.config;
    let mut found: Option<Outcome> = None;
    let mut estimate = Estimate::default();
    for member in 0..tuning.swarm.unwrap_or(1) {
        let functions = tuning.hash_functions + member % 2;
        let store = BitstateStore::new(tuning.bitstate_bytes(), functions, u64::from(member));
        let used = found
            .as_ref()
            .map_or(Duration::ZERO, |found| found.duration);
        let config = SearchConfig {
            order: match member {
                0 => Order::Spin,
                1 => Order::Reversed,
                _ => Order::Shuffled(u64::from(member)),
            },
            depth: limits.depth.or_else(|| swarm_depth(member)),
            time_limit: limits.time_limit.map(|limit| limit.saturating_sub(used)),
            ..*limits
        };
        let member = Setting {
            config: &config,
            ..setting
        };
        let (outcome, store) = represented(model, store, job, member)?;
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
fn represented<M: NextState, S: StateStore>(
    model: &mut Reduced<'_, M>,
    mut store: S,
    job: &Job,
    setting: Setting<'_>,
) -> Result<(Outcome, S), ResumeError> {
    match job.symmetry.orbits() {
        None => {
            let outcome = search(model, &mut store, job, setting)?;
            Ok((outcome, store))
        }
        Some(orbits) => {
            let mut store = OrbitStore::<_, _, false>::new(store, orbits);
            let outcome = search(model, &mut store, job, setting)?;
            Ok((outcome, store.into_inner()))
        }
    }
}

/// Choose the algorithm.
fn search<M: NextState, S: StateStore>(
    model: &mut Reduced<'_, M>,
    store: &mut S,
    job: &Job,
    setting: Setting<'_>,
) -> Result<Outcome, ResumeError> {
    let config = setting.config;
    let from = setting.resume.map(|resume| Checkpoint {
        path: resume.path,
        interval: Duration::MAX,
        fingerprint: resume.fingerprint,
    });
    Ok(match (job.algorithm, from) {
        (Algorithm::Bfs, None) => search::bfs(model, store, config),
        (Algorithm::Bfs, Some(from)) => search::bfs_resume(model, store, config, &from)?,
        (Algorithm::Shortening, _) => search::shortening(model, store, config),
        (Algorithm::DepthLimited, _) => search::depth_limited(model, store, config),
        (_, None) if model.reducer.as_ref().is_some_and(Reducer::sleeps) => {
            search::sleep_dfs(model, store, config)
        }
        (_, None) if model.reducer.is_some() => search::reduced_dfs(model, store, config),
        (_, None) => search::dfs(model, store, config),
        (_, Some(from)) => search::dfs_resume(model, store, config, &from)?,
    })
}
