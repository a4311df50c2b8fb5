//! One search of a plan: its configuration, what it found, and what that means.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::time::Duration;

use model::Model;
use reduce::check::{Audit, ExchangeAudit};
use search::{Checkpoint, Finding, Observer, Outcome, SearchConfig};
use space::cancel::{self, Cancelled};

use super::observer::{Announcer, Confirmed};
use crate::confirm::{Mismatch, confirm, confirm_lasso};
use crate::engine::{self, Estimate, Resume, SearchResult, Setting, Stopped, unroll};
use crate::event::Phase;
use crate::judge::{Blame, Judgement};
use crate::limits::Guard;
use crate::liveness::Watcher;
use crate::load::{Loaded, Source};
use crate::memory;
use crate::options::{Backend, ErrorPolicy, Named, Options, Store};
use crate::plan::feature::Feature;
use crate::plan::{Algorithm, Job, Plan};

/// How often a search is saved.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(600);

/// A search that has ended.
#[derive(Debug)]
pub struct JobResult {
    /// The row of its job in the plan.
    pub job: usize,
    /// What it came to.
    pub outcome: Outcome,
    /// What its store may have missed.
    pub estimate: Option<Estimate>,
    /// What executed the model in the end.
    pub backend: Backend,
    /// The time to make machine code.
    pub compile: Duration,
    /// What a check of partial-order reduction looked at.
    pub por_check: Option<Audit>,
    /// What a check of symmetry reduction looked at.
    pub symmetry_check: Option<ExchangeAudit>,
}

/// Why a check came to nothing.
pub(super) struct Failure {
    pub(super) blame: Blame,
    pub(super) reason: String,
}

impl Failure {
    fn bug(reason: &str) -> Failure {
        Failure {
            blame: Blame::Us,
            reason: format!(
                "{reason}\nthis is a bug in spinor; please report it and attach the \
                             model"
            ),
        }
    }
}

/// What all searches of a check share.
pub(super) struct Session<'a> {
    loaded: &'a Loaded,
    source: &'a Source<'a>,
    plan: &'a Plan,
    options: &'a Options,
    guard: &'a Guard<'a>,
    announcer: Announcer<'a>,
    results: Vec<JobResult>,
}

/// What a session came to.
pub(super) struct Results {
    pub(super) results: Vec<JobResult>,
    pub(super) confirmed: Vec<Confirmed>,
    pub(super) judgements: Vec<Option<Judgement>>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        source: &'a Source<'a>,
        plan: &'a Plan,
        options: &'a Options,
        guard: &'a Guard<'a>,
    ) -> Session<'a> {
        Session {
            loaded,
            source,
            plan,
            options,
            guard,
            announcer: Announcer::new(loaded, plan, guard, options.search.errors),
            results: Vec::new(),
        }
    }

    /// Whether nothing more is to be searched.
    pub(super) fn is_over(&self) -> bool {
        let stops = self.options.search.errors == ErrorPolicy::StopAtFirst;
        self.guard.ended_by().is_some() || stops && self.announcer.is_any_violated()
    }

    pub(super) fn finish(self) -> Results {
        let (confirmed, judgements) = self.announcer.into_results();
        Results {
            results: self.results,
            confirmed,
            judgements,
        }
    }

    /// Make the search of a job, and announce what it came to.
    pub(super) fn job(&mut self, row: usize) -> Result<(), Failure> {
        let job = &self.plan.jobs[row];
        let subject = self.plan.subject(job);
        self.guard.enter(Phase::Prepare, &subject);
        let search_result = match self.search(job, &subject) {
            Ok(search_result) => search_result,
            // Whoever cancelled it knows; the properties stay open.
            Err(Stopped::Cancelled) => return Ok(()),
            Err(Stopped::Resume(error)) => {
                return Err(Failure {
                    blame: Blame::User,
                    reason: error.to_string(),
                });
            }
        };
        let por_check = search_result.audit.clone().transpose();
        let por_check = por_check
            .map_err(|bug| Failure::bug(&format!("partial-order reduction is unsound: {bug}")))?;
        let symmetry_check = self.check_symmetry(job)?;
        self.announce_findings(job, &search_result);
        if let Some((violation, mismatch)) = self.announcer.mismatch() {
            let kind = violation.kind;
            let reason = format!("a counterexample ({kind}) cannot be replayed: {mismatch}");
            return Err(Failure::bug(&reason));
        }
        for &property in &job.properties {
            if !self.announcer.is_violated(property) {
                let judgement = Judgement::of(job, &search_result, self.guard.ended_by());
                self.announcer.judge(property, judgement);
            }
        }
        self.results.push(JobResult {
            job: row,
            outcome: search_result.outcome,
            estimate: search_result.estimate,
            backend: search_result.backend,
            compile: search_result.compile,
            por_check,
            symmetry_check,
        });
        Ok(())
    }

    fn search(&self, job: &Job, subject: &str) -> Result<SearchResult, Stopped> {
        let options = &self.options.search;
        let fingerprint = fingerprint(self.source, self.loaded, self.options, job);
        let announce = |finding: &Finding| self.announcer.violation_found(job, finding);
        let checkpoint = options.checkpoint.as_deref().map(|path| Checkpoint {
            path,
            interval: CHECKPOINT_INTERVAL,
            fingerprint,
        });
        let config = SearchConfig {
            checkpoint,
            ..self.config(job, &announce)
        };
        let resume = options.resume.as_deref();
        let setting = Setting {
            config: &config,
            resume: resume.map(|path| Resume { path, fingerprint }),
            cancel: self.guard.flag(),
            begins: &|| self.guard.enter(Phase::Search, subject),
        };
        engine::run(&self.loaded.model, job, setting)
    }

    fn config<'b>(
        &'b self,
        job: &Job,
        meet: &'b dyn Fn(&Finding) -> ControlFlow<()>,
    ) -> SearchConfig<'b> {
        let options = &self.options.search;
        let limit = match job.store {
            // There the memory is the size of the array; stack and queue come beside it.
            Store::Bitstate => memory::default_limit(),
            _ => options.memory.or_else(memory::default_limit),
        };
        let is_safety = job.watcher.is_none();
        // The counterexamples of a shortening search get shorter until it ends.
        let observes = is_safety && job.algorithm != Algorithm::Shortening;
        SearchConfig {
            depth: options.depth,
            max_errors: match options.errors {
                ErrorPolicy::EachProperty if is_safety => None,
                ErrorPolicy::EachProperty | ErrorPolicy::StopAtFirst => Some(1),
                ErrorPolicy::Count(count) => Some(count),
                ErrorPolicy::All => None,
            },
            kept_traces: 1,
            observer: observes.then_some(Observer(meet)),
            memory_limit: limit.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
            time_limit: self.guard.remaining(),
            stop: Some(self.guard.flag().as_atomic()),
            progress: Some(&self.guard.progress),
            ..SearchConfig::default()
        }
    }

    /// Check the symmetry reduction of a job by brute force, if that was asked for.
    fn check_symmetry(&self, job: &Job) -> Result<Option<ExchangeAudit>, Failure> {
        let orbits = job.symmetry.orbits();
        let Some(orbits) = orbits.filter(|_| job.has(Feature::CheckSymmetry)) else {
            return Ok(None);
        };
        let model = job.searched(&self.loaded.model);
        let check = || engine::audit_symmetry(model, &job.watched(), &orbits);
        match cancel::scope(self.guard.flag(), check) {
            Ok(Ok(audit)) => Ok(Some(audit)),
            Ok(Err(bug)) => Err(Failure::bug(&format!(
                "symmetry reduction is unsound: {bug}"
            ))),
            Err(Cancelled) => Ok(None),
        }
    }

    /// Announce what was not announced in the midst of the search.
    fn announce_findings(&self, job: &Job, search_result: &SearchResult) {
        let mut findings: Vec<&Finding> = search_result.outcome.findings().iter().collect();
        if job.has(Feature::Shortest) {
            findings.sort_by_key(|finding| finding.depth);
        }
        for finding in findings {
            let property = match &job.watcher {
                None => self.announcer.property_of(job, &finding.violation),
                Some(_) => job.properties.first().copied(),
            };
            let Some(property) = property else {
                continue;
            };
            if !self.announcer.is_wanted(property, finding) {
                self.announcer.count(property, finding);
                continue;
            }
            match execute(&self.loaded.model, job, search_result, finding) {
                Ok((finding, last_state)) => self.announcer.announce(property, finding, last_state),
                Err(mismatch) => self.announcer.fail(finding.violation, mismatch),
            }
        }
    }
}

/// Execute a finding again, as an execution of the model as written, with its last state.
fn execute(
    model: &Model,
    job: &Job,
    search_result: &SearchResult,
    finding: &Finding,
) -> Result<(Finding, Vec<u8>), Mismatch> {
    let Some(watcher) = &job.watcher else {
        let last_state = confirm(model, finding)?;
        return Ok((finding.clone(), last_state));
    };
    let unrolled = unrolled(watcher, job, search_result, finding)?;
    let searched = job.searched(model);
    let lasso = confirm_lasso(watcher, searched, &unrolled, job.fairness.into())?;
    let finding = Finding {
        trace: lasso.trace,
        ..unrolled
    };
    Ok((finding, lasso.last_state))
}

/// A finding as an execution of the model: a cycle of representatives is not closed.
fn unrolled(
    watcher: &Watcher,
    job: &Job,
    search_result: &SearchResult,
    finding: &Finding,
) -> Result<Finding, Mismatch> {
    let orbits = job.symmetry.orbits();
    let Some(orbits) = orbits.filter(|_| finding.trace.cycle.is_some()) else {
        return Ok(finding.clone());
    };
    let cycles = search_result.outcome.findings().iter();
    let mut cycles = cycles.filter(|other| other.trace.cycle.is_some());
    let number = cycles.position(|other| std::ptr::eq(other, finding));
    let rounds = number.and_then(|number| search_result.rounds.get(number));
    let searched = job.searched(&watcher.model);
    let trace = unroll(searched, orbits, &finding.trace, rounds).ok_or(Mismatch::Open)?;
    Ok(Finding {
        trace,
        ..finding.clone()
    })
}

/// Everything that decides which steps a model has, and how they are searched.
fn fingerprint(source: &Source<'_>, loaded: &Loaded, options: &Options, job: &Job) -> u64 {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    for (_, file) in loaded.sources.files() {
        file.text.hash(&mut hasher);
    }
    source.options.define.hash(&mut hasher);
    let options = &options.search;
    (loaded.model.lossy, options.no_reduction).hash(&mut hasher);
    options.symmetry.map(Named::name).hash(&mut hasher);
    (job.algorithm.name(), job.store.name()).hash(&mut hasher);
    // Otherwise the memory is only a limit, and may be another one the next time.
    if job.store == Store::Bitstate {
        (job.tuning.hash_functions, job.tuning.bitstate_bytes).hash(&mut hasher);
    }
    options.depth.hash(&mut hasher);
    hasher.finish()
}
