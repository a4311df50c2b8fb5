//! The properties of a run, by name, and what would violate each.

use std::collections::BTreeSet;

use model::{Action, DStepOp, LivenessKind, LivenessProperty, Location, Model, ProcessKind};
use space::{SiteId, Violation, ViolationKind};

use crate::liveness::Target;

/// What a search can find wrong with a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// One of these assertions fails: one statement, once for each of its expansions.
    Sites(Vec<SiteId>),
    /// A violation of this kind.
    Kind(ViolationKind),
    /// A run-time error, whichever it is.
    Errors,
    /// Whatever a search of its own finds.
    Executions(Target),
}

/// A property of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its kind, as in the report.
    pub kind: &'static str,
    /// Where it stands.
    pub location: Option<Location>,
    /// What would violate it.
    pub watched: Watched,
}

impl Property {
    pub(crate) fn new(name: &str, kind: &'static str, watched: Watched) -> Property {
        Property {
            name: name.to_owned(),
            kind,
            location: None,
            watched,
        }
    }

    /// A property of the model, by its row in [`Model::liveness`].
    pub fn of_model(row: usize, stated: &LivenessProperty) -> Property {
        let (kind, target) = match &stated.kind {
            LivenessKind::Formula(_) => ("ltl", Target::Formula(row)),
            LivenessKind::Never(claim) => ("claim", Target::Never(*claim)),
            LivenessKind::Acceptance => ("acceptance-cycle", Target::Acceptance),
        };
        let name = stated.name.trim_matches(':');
        Property {
            location: Some(stated.location),
            ..Property::new(name, kind, Watched::Executions(target))
        }
    }

    /// What its own search looks for, if it has one.
    pub fn target(&self) -> Option<Target> {
        match self.watched {
            Watched::Executions(target) => Some(target),
            _ => None,
        }
    }

    /// Its name with what it is, for people.
    pub fn title(&self) -> String {
        match (self.kind, self.name.as_str()) {
            ("ltl", name) => format!("ltl {name}"),
            ("claim", "never") => "never claim".to_owned(),
            ("claim", name) => format!("claim {name}"),
            (_, name) => name.to_owned(),
        }
    }

    /// Whether a violation that a safety search found is one of this property.
    pub fn concerns(&self, violation: &Violation) -> bool {
        match &self.watched {
            Watched::Sites(sites) => {
                violation.kind == ViolationKind::Assertion
                    && violation.site.is_some_and(|site| sites.contains(&site))
            }
            Watched::Kind(kind) => violation.kind == *kind,
            Watched::Errors => matches!(violation.kind, ViolationKind::Error(_)),
            Watched::Executions(_) => false,
        }
    }
}

/// What a safety search checks: one property per assertion, and the rest by kind.
pub(crate) fn safety_properties(model: &Model) -> Vec<Property> {
    let mut properties: Vec<Property> = Vec::new();
    for row in executed_sites(model) {
        let site = &model.sites[row as usize];
        let name = format!("assert {}", without_parentheses(&site.written));
        let same = properties
            .iter_mut()
            .find(|p| p.location == Some(site.location) && p.name == name);
        // An inline is expanded at every call, and a macro may hold the same text twice.
        if let Some(Property {
            watched: Watched::Sites(sites),
            ..
        }) = same
        {
            sites.push(SiteId(row));
            continue;
        }
        properties.push(Property {
            location: Some(site.location),
            ..Property::new(&name, "assertion", Watched::Sites(vec![SiteId(row)]))
        });
    }
    properties.sort_by_key(|property| property.location);
    let kinds = [
        ("invalid end states", ViolationKind::InvalidEndState),
        ("array bounds", ViolationKind::ArrayBounds),
        ("channel claims", ViolationKind::ChannelClaim),
    ];
    for (name, kind) in kinds {
        let claims = model.proctypes.iter().any(|p| !p.claims.is_empty());
        if kind != ViolationKind::ChannelClaim || claims {
            properties.push(Property::new(name, kind.name(), Watched::Kind(kind)));
        }
    }
    if let Some(trace) = &model.event_trace {
        let name = if trace.negated { "notrace" } else { "trace" };
        let kind = ViolationKind::EventTrace;
        properties.push(Property {
            location: Some(trace.location),
            ..Property::new(name, kind.name(), Watched::Kind(kind))
        });
    }
    properties.push(Property::new("run-time errors", "error", Watched::Errors));
    properties
}

/// The assertions in processes; those in claims and traces are not executed.
fn executed_sites(model: &Model) -> BTreeSet<u32> {
    let mut sites = BTreeSet::new();
    for transition in &model.transitions {
        let kind = model.proctype(transition.proctype).kind;
        if !matches!(kind, ProcessKind::Proctype | ProcessKind::Init) {
            continue;
        }
        match &transition.action {
            Action::Assert(_, site) => {
                sites.insert(site.0);
            }
            Action::DStep(row) => {
                for op in &model.dsteps[*row as usize].ops {
                    if let DStepOp::Do {
                        action: Action::Assert(_, site),
                        ..
                    } = op
                    {
                        sites.insert(site.0);
                    }
                }
            }
            _ => {}
        }
    }
    sites
}

/// The text of an expression without the parentheses around all of it.
pub fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_i32;
    let balanced = inner.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    });
    if balanced { inner.trim() } else { text }
}
