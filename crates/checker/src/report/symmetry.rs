//! What is said about the symmetry of a model.

use model::Model;
use model::symmetry::{Broken, Scalarset};
use serde::Serialize;

use crate::plan::SymmetryChoice;

/// What was found and what was done with it.
#[derive(Clone, Debug, Serialize)]
pub struct SymmetryReport {
    /// How representatives are chosen.
    pub strategy: &'static str,
    /// The sets of processes that can be exchanged.
    pub scalarsets: Vec<ScalarsetReport>,
    /// The proctypes whose processes cannot, and why.
    pub broken: Vec<BrokenReport>,
    /// Why there is no reduction though there is symmetry.
    pub reason: Option<String>,
}

impl Default for SymmetryReport {
    fn default() -> SymmetryReport {
        SymmetryReport {
            strategy: "none",
            scalarsets: Vec::new(),
            broken: Vec::new(),
            reason: None,
        }
    }
}

/// Processes that can be exchanged.
#[derive(Clone, Debug, Serialize)]
pub struct ScalarsetReport {
    /// The number of members.
    pub size: usize,
    /// The proctypes with a process for each member.
    pub proctypes: Vec<String>,
}

/// Processes that cannot be exchanged.
#[derive(Clone, Debug, Serialize)]
pub struct BrokenReport {
    /// Their proctype.
    pub proctype: String,
    /// The reason.
    pub reason: String,
    /// Where it is to be seen.
    pub location: String,
}

impl SymmetryReport {
    /// What was decided.
    pub fn new(model: &Model, choice: &SymmetryChoice) -> SymmetryReport {
        let scalarset = |set: &Scalarset| ScalarsetReport {
            size: set.size,
            proctypes: (set.proctypes.iter())
                .map(|id| model.proctype(*id).name.clone())
                .collect(),
        };
        let broken = |broken: &Broken| BrokenReport {
            proctype: broken.candidate.clone(),
            reason: broken.reason.clone(),
            location: model.locate(broken.location),
        };
        let found = choice.found.as_ref();
        SymmetryReport {
            strategy: choice.name(),
            scalarsets: found
                .map_or_else(Vec::new, |f| f.scalarsets.iter().map(scalarset).collect()),
            broken: found.map_or_else(Vec::new, |f| f.broken.iter().map(broken).collect()),
            reason: choice.reason().map(str::to_owned),
        }
    }

    /// The same for people, line by line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = (self.scalarsets.iter())
            .map(|set| match &set.proctypes[..] {
                [one] => format!("symmetry: {} {one} processes", set.size),
                all => format!(
                    "symmetry: {} processes each of {}",
                    set.size,
                    all.join(", ")
                ),
            })
            .collect();
        if let Some(reason) = &self.reason {
            lines.push(format!("no symmetry reduction: {reason}"));
        }
        let broken = self.broken.iter().map(|broken| {
            let BrokenReport {
                proctype,
                reason,
                location,
            } = broken;
            format!("no symmetry of {proctype}: {reason} ({location})")
        });
        lines.extend(broken);
        lines
    }
}
