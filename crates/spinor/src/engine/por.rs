//! Partial-order reduction: whether it goes with what is searched, and in which form.

use model::Model;
use model::dependency::{Correction, Dependency, Observed, Strictness};
use reduce::{Effort, Method, Named, Reduction};

use crate::commands::check::{Por, PorCorrection, SearchOptions};

/// What was decided about partial-order reduction.
#[derive(Clone, Debug)]
pub enum PorChoice {
    /// It is made.
    On(Reduction),
    /// It is not, for this reason; without one, because nobody asked for it.
    Off(Option<String>),
}

impl PorChoice {
    /// What the options ask for, where `conflict` says why the search does not go with a
    /// reduction. Something asked for by name that cannot be had is an error.
    pub fn new(
        options: &SearchOptions,
        model: &Model,
        observed: Observed,
        strictness: Strictness,
        clusters: Vec<Vec<Named>>,
        conflict: Option<String>,
    ) -> Result<PorChoice, String> {
        let por = options.por.unwrap_or(match options.no_reduction {
            true => Por::None,
            false => Por::Auto,
        });
        let method = match por {
            Por::None => return Ok(PorChoice::Off(None)),
            Por::Ample | Por::SleepAmple => Method::Ample,
            Por::Cluster | Por::SleepCluster => Method::Cluster,
            Por::Stubborn | Por::SleepStubborn | Por::Auto => Method::Stubborn,
            Por::Sleep => Method::Nothing,
        };
        let reduction = Reduction {
            method,
            effort: match por {
                Por::Auto => Effort::Thrifty,
                _ => Effort::Thorough,
            },
            clusters,
            sleeps: por.sleeps(),
            correction: match options.por_correction {
                PorCorrection::Static => Correction::Static,
                PorCorrection::Dynamic => Correction::Dynamic,
            },
            observed,
            strictness,
        };
        let Reduction { observed, .. } = &reduction;
        let unfit = Dependency::new(model, observed, strictness, reduction.correction).err();
        match conflict.or_else(|| unfit.map(str::to_owned)) {
            None => Ok(PorChoice::On(reduction)),
            Some(reason) if por == Por::Auto => Ok(PorChoice::Off(Some(reason))),
            Some(reason) => Err(format!("there can be no partial-order reduction: {reason}")),
        }
    }

    /// The reduction that is made.
    pub fn reduction(&self) -> Option<&Reduction> {
        match self {
            PorChoice::On(reduction) => Some(reduction),
            PorChoice::Off(_) => None,
        }
    }

    /// Its name in the report.
    pub fn name(&self) -> Option<&'static str> {
        self.reduction()
            .map(|reduction| match (reduction.method, reduction.sleeps) {
                (Method::Nothing, _) => "sleep",
                (Method::Ample, false) => "ample",
                (Method::Ample, true) => "sleep+ample",
                (Method::Cluster, false) => "cluster",
                (Method::Cluster, true) => "sleep+cluster",
                (Method::Stubborn, false) => "stubborn",
                (Method::Stubborn, true) => "sleep+stubborn",
            })
    }

    /// Why it is not made.
    pub fn reason(&self) -> Option<&str> {
        match self {
            PorChoice::On(_) => None,
            PorChoice::Off(reason) => reason.as_deref(),
        }
    }
}
