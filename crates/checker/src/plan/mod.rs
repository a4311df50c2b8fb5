//! The plan of a run: which properties are decided by which searches, and how each is made.
//!
//! A plan is made before anything is searched. It reads the [table](table::TABLE) of what may be
//! combined and nothing else: what was asked for by name and does not go together is refused, what
//! a job may do by itself (reductions, the choice of an algorithm) is done where the table allows
//! it. The engine runs jobs and asks no questions.

mod cycles;
mod decision;
pub mod feature;
mod job;
mod planner;
mod rows;
mod select;
pub mod table;

use std::fmt;

use crate::declared;
use crate::load::Loaded;
use crate::options::{Named, Options};
use crate::property::Property;
use feature::Feature;
use planner::Planner;
use table::Conflict;

pub use decision::Decision;
pub use job::{Algorithm, Job, PorChoice, SymmetryChoice, Tuning, reduction_names};

/// Which properties are checked, and how.
#[derive(Debug)]
pub struct Plan {
    /// The properties of the run.
    pub properties: Vec<Property>,
    /// Titles of properties of the model that were not asked for.
    pub not_selected: Vec<String>,
    /// The searches, in the order in which they are made.
    pub jobs: Vec<Job>,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Two things were asked for that may not be combined.
    Conflict(Conflict),
    /// Something was asked for that the model does not have.
    Request(String),
}

impl From<Conflict> for Refusal {
    fn from(conflict: Conflict) -> Refusal {
        Refusal::Conflict(conflict)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Conflict(Conflict { one, other, reason }) => {
                let (one, other) = (one.name(), other.name());
                write!(f, "{one} and {other} cannot be combined: {reason}")
            }
            Refusal::Request(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Refusal {}

impl Plan {
    /// Decide how to check a model, or say why that cannot be done.
    pub fn new(loaded: &Loaded, options: &Options) -> Result<Plan, Refusal> {
        let selected = select::properties(&loaded.model, &options.properties)?;
        for (_, file) in loaded.sources.files() {
            declared::check(&loaded.model, &file.name, &file.text).map_err(Refusal::Request)?;
        }
        let planner = Planner::new(&loaded.model, &options.search).with_clusters(loaded)?;
        planner.check_goals(&selected.goals())?;
        let mut jobs = Vec::new();
        let safety: Vec<usize> = selected.rows(|property| property.target().is_none());
        if selected.safety {
            jobs.push(planner.safety(safety)?);
        }
        for row in selected.rows(|property| property.target().is_some()) {
            if let Some(target) = selected.properties[row].target() {
                jobs.push(planner.cycles(vec![row], target)?);
            }
        }
        Ok(Plan {
            properties: selected.properties,
            not_selected: selected.not_selected,
            jobs,
        })
    }
}

impl Plan {
    /// What a job is about: `safety`, or the title of a property.
    pub fn subject(&self, job: &Job) -> String {
        match (&job.watcher, job.properties.first()) {
            (Some(_), Some(&row)) => self.properties[row].title(),
            _ => "safety".to_owned(),
        }
    }

    /// The jobs, for programs.
    pub fn json(&self) -> serde_json::Value {
        let jobs = self.jobs.iter().map(|job| {
            let titles: Vec<String> = (job.properties.iter())
                .map(|&row| self.properties[row].title())
                .collect();
            serde_json::json!({
                "subject": self.subject(job),
                "properties": titles,
                "features": job.features.iter().collect::<Vec<Feature>>(),
                "decisions": job.decisions,
            })
        });
        jobs.collect()
    }
}
