//! The transition relation of a model over packed states: learned once, then only read.
//!
//! | module | holds |
//! | --- | --- |
//! | `cut` | how vectors are cut into parts |
//! | `values`, `numbering` | the numbers of the values of all parts; which processes there are |
//! | `layout`, `state` | where the numbers lie in the words of a state |
//! | `rows`, `relation` | what processes can do, by the parts that decide about it |
//! | `learner`, `follow` | asking the model; from steps to moves |
//! | `system` | a relation that is learned while it is used |
//! | `scout` | random walks that tell what values there are |
//! | `ample` | ample sets, by what processes contribute to them |
//! | `monitor`, `claim_rows` | automata beside a model, and their moves |
//! | `product` | a model and a monitor, learned while it is used |
//! | `export` | a relation as a file |

mod ample;
mod claim_rows;
mod cut;
mod export;
mod follow;
mod hash;
mod layout;
mod learner;
mod monitor;
mod numbering;
mod product;
mod relation;
mod rows;
mod scout;
mod state;
mod system;
mod values;

pub use ample::{Ample, AmpleKey, Members};
pub use export::{ExportError, export};
pub use layout::{Field, Layout, Rewrite, Words};
pub use learner::{Blame, MoveInfo, Phase, What};
pub use monitor::{Alone, Label, Monitor, MonitorInfo, MonitorMove};
pub use numbering::PartId;
pub use product::{Complaint, Described, Edge, Expanded, Product, Rest};
pub use relation::{Known, Relation};
pub use rows::{Counts, MoveId, PartBits};
pub use state::{Digest, State};
pub use system::{Behind, Counted, Next, Stop, System};
