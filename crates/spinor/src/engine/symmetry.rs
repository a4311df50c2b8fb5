//! Symmetry reduction: whether it goes with what is searched, and in which form.

use model::Model;
use model::symmetry::{Symmetry, Watched};
use reduce::orbit::{Orbits, Strategy};

use crate::commands::check::{SearchOptions, SymmetryOption};

/// What was decided about symmetry reduction.
#[derive(Clone, Debug)]
pub struct SymmetryChoice {
    /// What was found; nothing if nobody asked.
    pub found: Option<Symmetry>,
    /// How representatives are chosen, if the reduction is made.
    strategy: Option<Strategy>,
    name: &'static str,
    /// Why it is not made though there is symmetry.
    conflict: Option<String>,
}

impl SymmetryChoice {
    /// What the options ask for, where `conflict` says why the search does not go with a
    /// reduction. Something asked for by name that cannot be had is an error.
    pub fn new(
        options: &SearchOptions,
        model: &Model,
        watched: &Watched,
        conflict: Option<String>,
    ) -> Result<SymmetryChoice, String> {
        let wanted = options.symmetry.unwrap_or(match options.no_reduction {
            true => SymmetryOption::None,
            false => SymmetryOption::Auto,
        });
        let Some(strategy) = wanted.strategy() else {
            return Ok(SymmetryChoice {
                found: None,
                strategy: None,
                name: "none",
                conflict: None,
            });
        };
        if let Some(reason) = conflict.as_ref().filter(|_| wanted != SymmetryOption::Auto) {
            return Err(format!("there can be no symmetry reduction: {reason}"));
        }
        let found = Symmetry::find(model, watched);
        let made = !found.is_trivial() && conflict.is_none();
        Ok(SymmetryChoice {
            conflict: conflict.filter(|_| !found.is_trivial()),
            found: Some(found),
            strategy: made.then_some(strategy),
            name: if made { wanted.name() } else { "none" },
        })
    }

    /// What finds representatives, if the reduction is made.
    pub fn orbits(&self) -> Option<Orbits<'_>> {
        let found = self.found.as_ref()?;
        self.strategy
            .map(|strategy| Orbits::new(&found.action, strategy))
    }

    /// Whether the reduction is made.
    pub fn is_made(&self) -> bool {
        self.strategy.is_some()
    }

    /// Its name in the report.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Why it is not made.
    pub fn reason(&self) -> Option<&str> {
        self.conflict.as_deref()
    }
}
