//! What the reference said about a model.

use serde::{Deserialize, Serialize};

/// The result of running Spin on one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Some stage refused the model, so no search took place.
    Rejected {
        /// The stage that refused.
        stage: Stage,
        /// Its first complaint.
        message: String,
    },
    /// The search ran; the fields of [`Search`] say how.
    Accepted(Search),
    /// The model contains C code, which is outside the language that is compared.
    EmbeddedC,
    /// A limit of this tool ended the search, so its numbers say nothing about the model.
    Unfinished(Unfinished),
}

/// A step on the way from the model to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Translating the model to C.
    Spin,
    /// Compiling the verifier.
    Gcc,
    /// The verifier, which refuses some control graphs before it searches.
    Pan,
}

/// The numbers of a report, with the meaning that Spin gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Distinct states.
    pub stored: u64,
    /// Steps into a state that was already stored.
    pub matched: u64,
    /// `stored + matched`.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic: u64,
    /// The longest path, in steps.
    pub depth: u64,
}

/// A search that ended by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// The size of the state space, as far as it was searched.
    #[serde(flatten)]
    pub counts: Counts,
    /// Error events, not distinct errors.
    pub errors: u64,
    /// The first message, if any error was found.
    pub first_error: Option<FirstError>,
    /// Bytes of the state vector.
    pub vector: u64,
    /// Some path was cut at the depth limit.
    pub truncated: bool,
    /// A signal killed the verifier (division by zero); nothing was reported.
    pub crashed: bool,
    /// A run-time error ended the search although it was told to go on.
    pub ended: bool,
    /// An index was out of range: from there on the verifier read and wrote foreign memory.
    pub bad_index: bool,
}

/// The message of an error and where it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstError {
    /// Spin's text, such as `invalid end state`.
    pub message: String,
    /// Steps from the initial state; -1 is possible.
    pub depth: i64,
}

/// A search that was stopped by a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// Which limit.
    pub limit: Limit,
    /// The time that was allowed.
    pub seconds: u64,
    /// The memory that was allowed.
    pub megabytes: u64,
    /// How far the search came, if it could still say so.
    pub reached: Option<Counts>,
    /// Errors found until then.
    pub errors: Option<u64>,
}

/// What a run may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Wall-clock time.
    Time,
    /// Memory.
    Memory,
    /// The largest state vector the verifier was compiled for.
    Vector,
}

/// The verdict in the words of the expectations and of spinor's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No error in a complete search.
    Holds,
    /// At least one error.
    Violated,
    /// No error, but the search was cut at the depth limit.
    Inconclusive,
    /// Not a model.
    Rejected,
}

impl Verdict {
    /// The word used in headers and tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Rejected => "rejected",
        }
    }
}

impl Search {
    /// Whether the numbers are properties of the model.
    ///
    /// They are not once the search was cut or ended, or ran over foreign memory.
    pub fn counts_are_meaningful(&self) -> bool {
        !(self.truncated || self.crashed || self.ended || self.bad_index)
    }

    fn verdict(&self) -> Verdict {
        if self.crashed || self.errors > 0 {
            Verdict::Violated
        } else if self.truncated {
            Verdict::Inconclusive
        } else {
            Verdict::Holds
        }
    }
}

impl Outcome {
    /// The verdict, or the reason why there is none to compare with.
    pub fn verdict(&self) -> Result<Verdict, String> {
        match self {
            Outcome::Rejected { .. } => Ok(Verdict::Rejected),
            Outcome::Accepted(search) => Ok(search.verdict()),
            Outcome::EmbeddedC => Err("embedded C".to_owned()),
            Outcome::Unfinished(unfinished) => Err(unfinished.reason()),
        }
    }
}

impl Unfinished {
    fn reason(&self) -> String {
        let limit = match self.limit {
            Limit::Time => format!("Spin needs more than {} s", self.seconds),
            Limit::Memory => format!("Spin needs more than {} MB", self.megabytes),
            Limit::Vector => "Spin needs a larger state vector".to_owned(),
        };
        match self.reached {
            Some(counts) => format!("{limit} (stored {} until then)", counts.stored),
            None => limit,
        }
    }
}
