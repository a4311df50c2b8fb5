//! Claims beside a model.
//!
//! | file | holds |
//! | --- | --- |
//! | `product` | a model and a claim that move in turn, as one system with acceptance |
//! | `claim` | what a product asks of a claim |
//! | `never` | claims written as `never { ... }` |
//! | `automaton` | claims given as automata over expressions of the model |
//! | `formula`, `non_progress` | the automata of violations of a formula, and of a lack of progress |
//! | `labels` | no claim: the accept labels of the processes |
//! | `monitor` | both beside packed states |

mod automaton;
mod claim;
mod formula;
mod labels;
mod monitor;
mod never;
mod non_progress;
mod product;

pub use automaton::{AutomatonClaim, Observer};
pub use claim::{Claim, ClaimMove, Moves};
pub use formula::{of_model, violations};
pub use labels::Labels;
pub use monitor::{ClaimMonitor, LabelMonitor};
pub use never::NeverClaim;
pub use non_progress::non_progress;
pub use product::{Product, Stutter};
