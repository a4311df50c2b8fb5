//! What was decided about a job, in words.

use super::job::{Algorithm, Job, PorChoice, reduction_names};
use crate::options::{Fairness, Named, SearchOptions};

/// Something that was decided about a job.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Decision {
    /// What it is about.
    pub subject: &'static str,
    /// What was chosen.
    pub choice: String,
    /// Why; empty where it was asked for or is the only choice.
    pub reason: String,
}

/// Why a job is done the way it is.
pub(super) fn decisions(job: &Job, options: &SearchOptions) -> Vec<Decision> {
    let decision = |subject, choice: &str, reason: String| Decision {
        subject,
        choice: choice.to_owned(),
        reason,
    };
    let asked_for = |asked: bool| if asked { "requested" } else { "" };
    // The name may be that of a search for safety, while this job is for cycles, or the other way.
    let named = options.search.map(Named::name);
    let search = match (job.algorithm, named) {
        (algorithm, Some(name)) if algorithm.name() == name => "requested",
        (Algorithm::WeakDfs, _) => "the automaton is weak: one search suffices",
        (Algorithm::Scc, _) => "the automaton has several acceptance sets",
        (Algorithm::Owcty, _) if options.shortest => "finds short counterexamples",
        (Algorithm::Owcty, _) => "decides strong fairness",
        (Algorithm::NestedDfs, _) => "the default for cycles",
        (Algorithm::Shortening, _) => "finds shortest counterexamples",
        _ => "the default for safety",
    };
    let mut list = vec![
        decision("search", job.algorithm.name(), search.to_owned()),
        decision(
            "store",
            job.store_name(),
            asked_for(options.store.is_some() || options.swarm.is_some()).to_owned(),
        ),
    ];
    let static_reductions = job.reduced.as_ref().map_or_else(Vec::new, reduction_names);
    list.push(decision(
        "static reduction",
        &match static_reductions.is_empty() {
            true => "none".to_owned(),
            false => static_reductions.join(", "),
        },
        asked_for(options.no_reduction).to_owned(),
    ));
    let por = job.por.reason().unwrap_or(match job.por {
        PorChoice::On(_) if options.por.is_none() => "sound here",
        _ => "requested",
    });
    let name = job.por.name().unwrap_or("none");
    list.push(decision("partial order", name, por.to_owned()));
    let symmetry = match (&job.symmetry.found, job.symmetry.reason()) {
        (_, Some(reason)) => reason.to_owned(),
        (None, None) => "requested".to_owned(),
        (Some(found), None) if found.is_trivial() => match found.broken.first() {
            Some(broken) => format!("no symmetry of {}: {}", broken.candidate, broken.reason),
            None => "no proctype has several processes".to_owned(),
        },
        (Some(found), None) => {
            let sets = found.scalarsets.iter().map(|set| set.size.to_string());
            let sizes: Vec<String> = sets.collect();
            format!("interchangeable processes: {}", sizes.join(" + "))
        }
    };
    list.push(decision("symmetry", job.symmetry.name(), symmetry));
    if job.fairness != Fairness::None {
        list.push(decision("fairness", job.fairness.name(), String::new()));
    }
    list
}
