//! What may be combined, and why: the table that `spinor plan` prints.
//!
//! The engine refuses what has a *no* here; `tests/plan.rs` tries each row.

use serde::Serialize;

/// Whether two things go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// They do.
    Yes,
    /// They do not: asking for both is refused.
    No,
    /// One of them does not exist yet.
    Absent,
}

/// A pair.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Combination {
    /// One of the two: mostly how is searched.
    pub one: &'static str,
    /// The other: mostly what is saved or asked for.
    pub other: &'static str,
    /// Whether they go together.
    pub answer: Answer,
    /// Why, or how.
    pub reason: &'static str,
    /// Where that comes from, a key of the bibliography; empty if it is a matter of this program.
    pub source: &'static str,
}

const fn row(
    one: &'static str,
    other: &'static str,
    answer: Answer,
    reason: &'static str,
    source: &'static str,
) -> Combination {
    Combination {
        one,
        other,
        answer,
        reason,
        source,
    }
}

use Answer::{Absent, No, Yes};

/// The table.
pub const COMBINATIONS: &[Combination] = &[
    row(
        "dfs",
        "partial order",
        Yes,
        "a step of an ample set must lead off the path",
        "Bošnački, Leue, Lluch Lafuente 2009",
    ),
    row(
        "bfs",
        "partial order",
        Yes,
        "a step of an ample set must lead to a state that is not expanded yet",
        "Bošnački, Holzmann 2005",
    ),
    row(
        "depth-limited",
        "partial order",
        No,
        "what is left out may be within the bound where its other order is not",
        "",
    ),
    row(
        "stateless",
        "partial order",
        No,
        "there is no store to tell where a step leads",
        "",
    ),
    row(
        "--shortest",
        "partial order",
        No,
        "a shortest counterexample may be among the executions that are left out",
        "",
    ),
    row(
        "--checkpoint",
        "partial order",
        No,
        "the path of a resumed search is not known to the proviso",
        "",
    ),
    row(
        "dfs",
        "sleep sets",
        Yes,
        "every state keeps who sleeps in it; a smaller sleep set explores it again",
        "002 Fig. 1",
    ),
    row(
        "bfs",
        "sleep sets",
        No,
        "the search counts steps that lead where others lead by itself",
        "Godefroid 1996",
    ),
    row(
        "bitstate",
        "sleep sets",
        No,
        "a bit cannot keep who sleeps",
        "",
    ),
    row(
        "formula",
        "sleep sets",
        No,
        "only safety is known to be kept by process-wise sleep sets",
        "",
    ),
    row(
        "nested-dfs",
        "partial order",
        Yes,
        "control flow decides when all steps are taken, so both searches see the same graph",
        "001 ch. 7 §2.2; Kurshan, Levin, Minea, Peled, Yenigün 1998",
    ),
    row(
        "scc",
        "partial order",
        Yes,
        "control flow decides when all steps are taken",
        "Kurshan, Levin, Minea, Peled, Yenigün 1998",
    ),
    row(
        "owcty",
        "partial order",
        Yes,
        "control flow decides when all steps are taken",
        "Kurshan, Levin, Minea, Peled, Yenigün 1998",
    ),
    row(
        "nested-dfs",
        "weak fairness",
        Yes,
        "copies of the states, kept as bits",
        "003; 001 ch. 3 Fig. 7",
    ),
    row(
        "nested-dfs",
        "strong fairness",
        No,
        "it cannot tell strongly fair cycles",
        "004 §5",
    ),
    row(
        "scc",
        "weak fairness",
        Yes,
        "a component is fair or is split",
        "004 §5",
    ),
    row(
        "scc",
        "strong fairness",
        Yes,
        "a component is fair or is split",
        "004 §5",
    ),
    row(
        "owcty",
        "weak fairness",
        Yes,
        "a Streett condition",
        "004 §5",
    ),
    row(
        "owcty",
        "strong fairness",
        Yes,
        "a Streett condition",
        "004 §5",
    ),
    row(
        "weak fairness",
        "partial order",
        Yes,
        "steps that change whether the same process can move depend on each other",
        "002 §4.1; 001 ch. 3 §5",
    ),
    row(
        "strong fairness",
        "partial order",
        Yes,
        "steps that change whether the same process can move depend on each other",
        "002 §4.1",
    ),
    row(
        "fairness and timeout",
        "partial order",
        No,
        "a timeout depends on whether anybody can move",
        "",
    ),
    row(
        "rendezvous and unless",
        "partial order",
        Yes,
        "who begins or ceases to listen depends on those who watch the channel",
        "001 ch. 3 §4",
    ),
    row(
        "formula that counts steps",
        "partial order",
        No,
        "leaving steps out changes their number",
        "002 §4.1",
    ),
    row(
        "never claim",
        "partial order",
        No,
        "a hand-written claim may count steps",
        "",
    ),
    row(
        "trace assertion",
        "partial order",
        Yes,
        "messages that it hears keep their order",
        "",
    ),
    row(
        "priorities",
        "partial order",
        No,
        "who can move depends on everybody",
        "",
    ),
    row(
        "enabled()",
        "partial order",
        No,
        "it sees what others can do",
        "",
    ),
    row("_last", "partial order", No, "it sees who moved last", ""),
    row("tree", "partial order", Yes, "", ""),
    row(
        "compact",
        "partial order",
        Yes,
        "a state taken for another is missed with and without",
        "",
    ),
    row(
        "bitstate",
        "partial order",
        Yes,
        "a state taken for another is missed with and without",
        "003",
    ),
    row(
        "depth-limited",
        "bitstate",
        No,
        "a bit cannot keep the depth of a state",
        "",
    ),
    row(
        "nested-dfs",
        "bitstate",
        Yes,
        "an array of bits for each of the two searches",
        "003",
    ),
    row(
        "scc",
        "bitstate",
        No,
        "the search keeps numbers beside states",
        "",
    ),
    row(
        "owcty",
        "bitstate",
        No,
        "the search keeps numbers beside states",
        "",
    ),
    row(
        "nested-dfs",
        "--shortest",
        No,
        "it finds cycles of any length",
        "",
    ),
    row("dfs", "--checkpoint", Yes, "", ""),
    row("bfs", "--checkpoint", Yes, "", ""),
    row(
        "formula",
        "--checkpoint",
        No,
        "searches for cycles are not written down",
        "",
    ),
    row(
        "dfs",
        "--swarm",
        Yes,
        "bitstate searches that differ in order, depth and hash functions",
        "Holzmann, Joshi, Groce 2011",
    ),
    row(
        "--check-por",
        "--swarm",
        No,
        "the sets of several searches are not those of one",
        "",
    ),
    row(
        "bfs",
        "--swarm",
        No,
        "only depth-first searches differ by their order",
        "",
    ),
    row(
        "dfs",
        "symmetry",
        Yes,
        "states as they are on the path, representatives in the store",
        "001, ch. 6, Fig. 3",
    ),
    row(
        "bfs",
        "symmetry",
        Yes,
        "nobody is taken for asleep, since another state may stand for this one",
        "001, ch. 6",
    ),
    row(
        "stateless",
        "symmetry",
        No,
        "a search without a store knows no states",
        "",
    ),
    row("tree", "symmetry", Yes, "", ""),
    row("compact", "symmetry", Yes, "", ""),
    row("bitstate", "symmetry", Yes, "in searches for safety", ""),
    row(
        "nested-dfs",
        "symmetry",
        Yes,
        "states as they are on the path: what closes a cycle is a real step",
        "001, ch. 7, Fig. 8",
    ),
    row(
        "scc",
        "symmetry",
        No,
        "of the searches for cycles only nested-dfs goes with it",
        "",
    ),
    row(
        "owcty",
        "symmetry",
        No,
        "of the searches for cycles only nested-dfs goes with it",
        "",
    ),
    row(
        "weak fairness",
        "symmetry",
        Yes,
        "a cycle of representatives is followed round by round, process by process",
        "001, ch. 7, Fig. 14",
    ),
    row(
        "strong fairness",
        "symmetry",
        No,
        "it is not worked out here",
        "",
    ),
    row(
        "partial order",
        "symmetry",
        Yes,
        "in searches for safety; nobody counts as having moved on a cycle that renames",
        "",
    ),
    row(
        "sleep sets",
        "symmetry",
        No,
        "they speak of processes by their names",
        "",
    ),
    row(
        "--checkpoint",
        "symmetry",
        No,
        "a search that is written down tells all states apart",
        "",
    ),
    row(
        "discrete time",
        "anything",
        Absent,
        "there are no timers yet",
        "",
    ),
];
