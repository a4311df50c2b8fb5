//! The searches of one run, one after the other.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use model::Model;
use model::dependency::{Observed, Strictness};
use model::reduction::{Reduced, reduce, reduce_keeping_steps};
use model::symmetry::Watched;
use product::Claim;
use reduce::Named;
use reduce::check::Audit;
use search::{Checkpoint, Finding, Outcome, Progress, Rounds, SearchConfig};
use space::{Fairness, Violation};

use super::traces::MOST_TRACES;
use super::{Args, Backend, Format, Por, Store, fingerprint};
use crate::confirm::{Mismatch, confirm, confirm_lasso};
use crate::engine::{
    self, CycleStrategy, Estimate, PorChoice, Resume, Strategy, SymmetryChoice, unroll,
};
use crate::liveness::{Target, Watcher};
use crate::load::Loaded;
use crate::plan::{Searched, Verdict};
use crate::report::{Confirmed, Options, PorCheck, Report, SymmetryCheck, SymmetryReport, json};
use crate::{clusters, interrupt, memory, progress};

/// How often a search is written down.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(600);

/// What all searches of a run share.
pub(super) struct Session<'a> {
    pub(super) args: &'a Args,
    pub(super) loaded: &'a Loaded,
    pub(super) stop: &'static AtomicBool,
    pub(super) progress: Progress,
    /// The time that earlier searches took.
    pub(super) used: Duration,
}

/// A search that has ended.
pub struct Checked {
    /// What it came to.
    pub outcome: Outcome,
    /// What its store may have missed.
    pub estimate: Option<Estimate>,
    /// How it was made.
    pub options: Options,
    /// The time to make machine code.
    pub compile: Duration,
    /// What a check of a reduction found wrong.
    pub(super) bug: Option<String>,
    /// An error of the model that ended an execution and is reported by a safety search.
    fault: Option<Violation>,
    /// What was watched, and the model that was searched with it.
    watched: Option<Watch>,
}

/// What was watched, and how.
struct Watch {
    watcher: Watcher,
    /// The model that was searched, if it is not that of the watcher.
    searched: Option<Model>,
    fairness: Fairness,
    symmetry: SymmetryChoice,
    /// What fair cycles under symmetry consist of.
    rounds: Vec<Rounds>,
}

impl Watch {
    /// A finding as an execution of the model: a cycle of representatives is not closed.
    fn unrolled(&self, finding: &Finding, number: usize) -> Result<Finding, Mismatch> {
        let Some(orbits) = self
            .symmetry
            .orbits()
            .filter(|_| finding.trace.cycle.is_some())
        else {
            return Ok(finding.clone());
        };
        let searched = self.searched.as_ref().unwrap_or(&self.watcher.model);
        let rounds = self.rounds.get(number);
        let trace = unroll(searched, orbits, &finding.trace, rounds).ok_or(Mismatch::Open)?;
        Ok(Finding {
            trace,
            ..finding.clone()
        })
    }
}

/// What a check of partial-order reduction looked at, and what it found wrong.
fn told(audit: Option<Result<Audit, String>>) -> (Option<PorCheck>, Option<String>) {
    match audit {
        None => (None, None),
        Some(Ok(audit)) => (Some(audit.into()), None),
        Some(Err(bug)) => (
            None,
            Some(format!("partial-order reduction is wrong, {bug}")),
        ),
    }
}

/// The same for symmetry reduction, which is checked if that is asked for and there is one.
fn told_of_symmetry(
    args: &Args,
    model: &Model,
    watched: &Watched,
    symmetry: &SymmetryChoice,
) -> (Option<SymmetryCheck>, Option<String>) {
    match symmetry.orbits().filter(|_| args.search.check_symmetry) {
        None => (None, None),
        Some(orbits) => match engine::audit_symmetry(model, watched, &orbits) {
            Ok(audit) => (Some(audit.into()), None),
            Err(bug) => (None, Some(format!("symmetry reduction is wrong, {bug}"))),
        },
    }
}

/// Listen for Ctrl-C.
pub(super) fn listen(args: &Args) -> &'static AtomicBool {
    let json = (args.output.format == Format::Json).then(|| args.model.clone());
    interrupt::listen(move || {
        if let Some(model) = &json {
            let reason = Some("interrupted".to_owned());
            let report = Report::without_run(model, Verdict::Inconclusive, reason);
            // Nothing is left to do if it cannot be printed.
            let _ = json::print(&report);
        }
    })
}

impl Session<'_> {
    /// Search for violations of safety; an error is a checkpoint that cannot be resumed.
    pub(super) fn safety(&mut self, strategy: &Strategy) -> Result<Checked, String> {
        let args = self.args;
        let model = &self.loaded.model;
        let reduced = (!args.search.no_reduction).then(|| reduce(model));
        let searched = reduced.as_ref().map_or(model, |r| &r.model);
        let files = args.search.checkpoint.is_some() || args.search.resume.is_some();
        let conflict = strategy.por_conflict(files).map(str::to_owned);
        let observed = Observed::default();
        let por = PorChoice::new(
            &args.search,
            searched,
            observed,
            Strictness::Plain,
            self.clusters()?,
            conflict,
        )?;
        let conflict = strategy.symmetry_conflict(files).map(str::to_owned);
        let watched = Watched::default();
        let symmetry = SymmetryChoice::new(&args.search, searched, &watched, conflict)?;
        let fingerprint = fingerprint(args, self.loaded, strategy);
        let config = SearchConfig {
            checkpoint: args.search.checkpoint.as_deref().map(|path| Checkpoint {
                path,
                interval: CHECKPOINT_INTERVAL,
                fingerprint,
            }),
            ..self.config(strategy.store)
        };
        let resume = args.search.resume.as_deref();
        let resume = resume.map(|path| Resume { path, fingerprint });
        let ran = progress::watch(&self.progress, args.output.show(), || {
            let orbits = symmetry.orbits();
            engine::run(searched, strategy, por.reduction(), orbits, &config, resume)
        });
        let ran = ran.map_err(|error| error.to_string())?;
        let (por_check, por_bug) = told(ran.audit);
        let (symmetry_check, symmetry_bug) = told_of_symmetry(args, searched, &watched, &symmetry);
        self.used += ran.outcome.duration;
        Ok(Checked {
            options: Options {
                search: strategy.search_name(),
                store: strategy.store_name(),
                collapsed: ran.outcome.collapsed,
                por_check,
                symmetry_check,
                ..self.options(ran.backend, reduced.as_ref(), &por, &symmetry)
            },
            bug: por_bug.or(symmetry_bug),
            outcome: ran.outcome,
            estimate: ran.estimate,
            compile: ran.compile,
            fault: None,
            watched: None,
        })
    }

    /// Search for executions that violate a property; an error is one that cannot be checked.
    pub(super) fn cycles(
        &mut self,
        strategy: &CycleStrategy,
        target: Target,
    ) -> Result<Checked, String> {
        let args = self.args;
        let watcher = Watcher::new(&self.loaded.model, target, strategy.capability())?;
        // Whether a process can always send depends on every step of those who receive.
        let fair = strategy.fairness != Fairness::None && watcher.model.has_handshakes();
        let keep_steps = watcher.counts_steps || fair;
        let reduced = (!args.search.no_reduction).then(|| match keep_steps {
            true => reduce_keeping_steps(&watcher.model),
            false => reduce(&watcher.model),
        });
        let searched = reduced.as_ref().map_or(&watcher.model, |r| &r.model);
        let strictness = match strategy.fairness {
            Fairness::None => Strictness::Plain,
            Fairness::Weak | Fairness::Strong => Strictness::Fair,
        };
        let sleeps = args.search.por.is_some_and(Por::sleeps);
        let sleeps = sleeps.then_some("sleep sets are for safety; name it with --safety");
        let fair = strategy.fairness != Fairness::None;
        let sets = watcher
            .claim(&watcher.model)
            .map_or(1, |claim| claim.sets());
        let conflict = strategy
            .symmetry_conflict(sets, &args.search)
            .map(str::to_owned);
        let watched = watcher.watched(fair);
        let symmetry = SymmetryChoice::new(&args.search, searched, &watched, conflict)?;
        let conflict = match symmetry.is_made() {
            true => Some("in a search for cycles it does not go with symmetry reduction"),
            false => watcher.por_conflict().or(sleeps),
        };
        let conflict = conflict.map(str::to_owned);
        let observed = watcher.observed();
        let por = PorChoice::new(
            &args.search,
            searched,
            observed,
            strictness,
            self.clusters()?,
            conflict,
        )?;
        let config = self.config(strategy.store);
        let started = Instant::now();
        let orbits = symmetry.orbits();
        let ran = progress::watch(&self.progress, args.output.show(), || {
            let reduction = por.reduction();
            engine::search_cycles(&watcher, searched, strategy, reduction, orbits, &config)
        });
        let (por_check, por_bug) = told(ran.audit);
        let (symmetry_check, symmetry_bug) = told_of_symmetry(args, searched, &watched, &symmetry);
        self.used += started.elapsed();
        Ok(Checked {
            options: Options {
                search: ran.search.name(),
                store: strategy.store_name(),
                fairness: args.search.fairness.name(),
                por_check,
                symmetry_check,
                ..self.options(ran.backend, reduced.as_ref(), &por, &symmetry)
            },
            bug: por_bug.or(symmetry_bug),
            outcome: ran.outcome,
            estimate: ran.estimate,
            compile: ran.compile,
            fault: ran.fault,
            watched: Some(Watch {
                searched: reduced.map(|r| r.model),
                fairness: strategy.fairness,
                rounds: ran.rounds,
                symmetry,
                watcher,
            }),
        })
    }

    /// The clusters that the model names.
    fn clusters(&self) -> Result<Vec<Vec<Named>>, String> {
        let mut found = Vec::new();
        for (_, file) in self.loaded.sources.files() {
            found.extend(clusters::read(&file.text, &self.loaded.model)?);
        }
        Ok(found)
    }

    fn config(&self, store: Store) -> SearchConfig<'_> {
        let options = &self.args.search;
        let limit = match store {
            // There the memory is the size of the array; stack and queue come beside it.
            Store::Bitstate => memory::default_limit(),
            _ => options.memory.or_else(memory::default_limit),
        };
        SearchConfig {
            depth: options.depth,
            max_errors: (!options.all_errors).then_some(options.max_errors),
            kept_traces: MOST_TRACES,
            memory_limit: limit.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
            time_limit: options.time.map(|limit| limit.saturating_sub(self.used)),
            stop: Some(self.stop),
            progress: Some(&self.progress),
            ..SearchConfig::default()
        }
    }

    /// How the model was searched, for the report.
    fn options(
        &self,
        backend: Backend,
        reduced: Option<&Reduced>,
        por: &PorChoice,
        symmetry: &SymmetryChoice,
    ) -> Options {
        let mut reductions = reduced.map_or_else(Vec::new, |reduced| {
            [
                ("write-only", reduced.write_only),
                ("dead-variables", reduced.resets),
                ("merging", reduced.merged),
            ]
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, _)| name)
            .collect()
        });
        if por.reduction().is_some() {
            reductions.push("por");
        }
        if symmetry.is_made() {
            reductions.push("symmetry");
        }
        Options {
            backend: match backend {
                Backend::Jit => "jit",
                Backend::Interp => "interp",
            },
            reduction: reductions,
            por: por.name().unwrap_or("none"),
            por_reason: por.reason().map(str::to_owned),
            symmetry: SymmetryReport::new(&self.loaded.model, symmetry),
            lossy_channels: self.args.lossy_channels,
            ..Options::default()
        }
    }
}

impl Checked {
    /// What the plan has to know about it.
    pub fn searched(&self) -> Searched<'_> {
        Searched {
            outcome: &self.outcome,
            estimate: self.estimate.as_ref(),
            fault: self.fault,
        }
    }

    /// Execute what was found again. An error is a bug.
    pub(super) fn confirm(
        &self,
        args: &Args,
        model: &Model,
        property: Option<usize>,
    ) -> Result<Vec<Confirmed>, String> {
        let mut findings: Vec<&Finding> = self.outcome.findings().iter().collect();
        if args.search.shortest {
            findings.sort_by_key(|finding| finding.depth);
        }
        let confirmed = findings.into_iter().map(|finding| {
            self.execute(model, finding, property).map_err(|mismatch| {
                let kind = finding.violation.kind;
                format!(
                    "a counterexample ({kind}) does not execute: {mismatch}; \
                     this is a bug in spinor, please report it with the model"
                )
            })
        });
        confirmed.collect()
    }

    /// The number of a finding among those that are cycles.
    fn cycle_number(&self, finding: &Finding) -> usize {
        let all = self.outcome.findings().iter();
        let cycles = all.filter(|other| other.trace.cycle.is_some());
        let number = cycles
            .into_iter()
            .position(|other| std::ptr::eq(other, finding));
        number.unwrap_or(usize::MAX)
    }

    fn execute(
        &self,
        model: &Model,
        finding: &Finding,
        property: Option<usize>,
    ) -> Result<Confirmed, Mismatch> {
        let (trace, last_state) = match &self.watched {
            None => (finding.trace.clone(), confirm(model, finding)?),
            Some(watch) => {
                let finding = watch.unrolled(finding, self.cycle_number(finding))?;
                let searched = watch.searched.as_ref().unwrap_or(&watch.watcher.model);
                let lasso = confirm_lasso(&watch.watcher, searched, &finding, watch.fairness)?;
                (lasso.trace, lasso.last_state)
            }
        };
        Ok(Confirmed {
            finding: Finding {
                trace,
                ..finding.clone()
            },
            property,
            last_state,
            file: None,
        })
    }
}
