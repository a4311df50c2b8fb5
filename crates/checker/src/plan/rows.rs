//! The rows of the table of what may be combined.

use super::feature::Feature::{self, *};
use super::table::Answer::{No, Yes};
use super::table::{Answer, Combination};

const fn row(
    one: &'static [Feature],
    other: &'static [Feature],
    answer: Answer,
    reason: &'static str,
    source: &'static str,
) -> Combination {
    Combination {
        one,
        other,
        within: None,
        answer,
        reason,
        source,
    }
}

const fn within(third: Feature, row: Combination) -> Combination {
    Combination {
        within: Some(third),
        ..row
    }
}

const FOR_SAFETY: &[Feature] = &[Dfs, Bfs, DepthLimited, Stateless];
const FOR_CYCLES: &[Feature] = &[NestedDfs, WeakDfs, Scc, Owcty];
const STORES: &[Feature] = &[Plain, Tree, Compact, Bitstate];
const EXACT_OR_HASHED: &[Feature] = &[Plain, Tree, Compact];
const FAIR: &[Feature] = &[WeakFairness, StrongFairness];

const BOSNACKI_2001: &str = "Bošnački 2001";
const PELED_1993: &str = "Peled 1993";
const HOLZMANN_1997: &str = "Holzmann 1997";
const HOLZMANN_2003: &str = "Holzmann 2003";
const CERNA_2003A: &str = "Černá, Pelánek 2003a";
const CERNA_2003B: &str = "Černá, Pelánek 2003b";
const KURSHAN_1998: &str = "Kurshan, Levin, Minea, Peled, Yenigün 1998";

/// The table.
pub const TABLE: &[Combination] = &[
    // What a search can find.
    row(FOR_SAFETY, &[Safety], Yes, "", ""),
    row(
        FOR_SAFETY,
        &[Cycles],
        No,
        "this search finds no cycles; use --search nested-dfs, scc or owcty",
        "",
    ),
    row(FOR_CYCLES, &[Cycles], Yes, "", ""),
    row(
        FOR_CYCLES,
        &[Safety],
        No,
        "this search is for cycles, and no selected property needs one",
        "",
    ),
    row(&[Cycles], FAIR, Yes, "", ""),
    row(
        &[Safety],
        FAIR,
        No,
        "fairness constrains infinite executions, and no selected property is about them",
        "",
    ),
    row(
        &[Safety, Cycles],
        &[Plain, Tree, Compact, Bitstate],
        Yes,
        "",
        "",
    ),
    row(&[Safety, Cycles], &[Shortest], Yes, "", ""),
    row(
        &[Safety, Cycles],
        &[PartialOrder, Symmetry, CheckPor, CheckSymmetry],
        Yes,
        "",
        "",
    ),
    // Shortest counterexamples.
    row(
        &[Bfs],
        &[Shortest],
        Yes,
        "the first counterexample of a breadth-first search is a shortest one",
        "",
    ),
    row(
        &[Dfs, DepthLimited],
        &[Shortest],
        Yes,
        "each counterexample lowers the depth limit",
        HOLZMANN_2003,
    ),
    row(
        &[Stateless],
        &[Shortest],
        No,
        "a stateless search records no depths; use --search bfs",
        "",
    ),
    row(
        &[NestedDfs, WeakDfs, Scc],
        &[Shortest],
        No,
        "depth-first searches find cycles of any length; use --search owcty",
        "",
    ),
    row(
        &[Owcty],
        &[Shortest],
        Yes,
        "the stem is a shortest path to the cycle",
        CERNA_2003A,
    ),
    row(&[Shortest], EXACT_OR_HASHED, Yes, "", ""),
    within(Bfs, row(&[Shortest], &[Bitstate], Yes, "", "")),
    within(
        Dfs,
        row(
            &[Shortest],
            &[Bitstate],
            No,
            "a bitstate store cannot record depths; use another store",
            "",
        ),
    ),
    row(
        &[Shortest],
        &[PartialOrder, SleepSets],
        No,
        "the reduction may omit every shortest counterexample",
        "",
    ),
    row(&[Shortest], &[Symmetry, NotCanonical], Yes, "", ""),
    row(&[Shortest], FAIR, Yes, "", ""),
    within(Bfs, row(&[Shortest], &[Checkpoint], Yes, "", "")),
    row(&[Shortest], &[CheckPor, CheckSymmetry], Yes, "", ""),
    // Stores.
    row(&[Dfs, Bfs, Stateless], STORES, Yes, "", ""),
    row(&[DepthLimited], EXACT_OR_HASHED, Yes, "", ""),
    row(
        &[DepthLimited],
        &[Bitstate],
        No,
        "a bitstate store cannot record depths; use another store",
        "",
    ),
    row(FOR_CYCLES, EXACT_OR_HASHED, Yes, "", ""),
    row(
        &[NestedDfs],
        &[Bitstate],
        Yes,
        "one bit array for each of the two searches",
        HOLZMANN_2003,
    ),
    row(
        &[WeakDfs, Scc, Owcty],
        &[Bitstate],
        No,
        "this search stores a number with each state; use --search nested-dfs",
        "",
    ),
    // Collapse compression: it changes no figure, so where it is not supported it is left out.
    row(
        &[Dfs, Bfs],
        &[Collapse],
        Yes,
        "a state is stored as the indices of its components",
        HOLZMANN_1997,
    ),
    row(
        &[NestedDfs, WeakDfs],
        &[Collapse],
        Yes,
        "a state is stored as the indices of its components",
        HOLZMANN_1997,
    ),
    row(
        &[DepthLimited, Stateless, Scc, Owcty],
        &[Collapse],
        No,
        "only depth-first and breadth-first searches support it",
        "",
    ),
    within(
        Cycles,
        row(
            &[Compact, Bitstate, Symmetry, NotCanonical],
            &[Collapse],
            No,
            "not supported yet; the counts are the same without it",
            "",
        ),
    ),
    row(&[Safety, Cycles], &[Collapse], Yes, "", ""),
    row(STORES, &[Collapse], Yes, "", ""),
    row(&[Collapse], &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(
        &[Collapse],
        &[
            WeakFairness,
            StrongFairness,
            Shortest,
            Swarm,
            SleepSets,
            Checkpoint,
        ],
        No,
        "not supported yet; the counts are the same without it",
        "",
    ),
    row(&[Collapse], &[Symmetry, NotCanonical], Yes, "", ""),
    within(
        Symmetry,
        row(
            &[Collapse],
            &[PartialOrder],
            No,
            "not supported yet; the counts are the same without it",
            "",
        ),
    ),
    within(
        Bfs,
        row(
            &[Collapse],
            &[PartialOrder],
            No,
            "not supported yet; the counts are the same without it",
            "",
        ),
    ),
    row(&[Collapse], &[PartialOrder], Yes, "", ""),
    // Partial-order reduction.
    row(
        &[Dfs],
        &[PartialOrder],
        Yes,
        "some step of an ample set leads to a state that is not on the stack",
        "Bošnački, Leue, Lluch Lafuente 2009",
    ),
    row(
        &[Bfs],
        &[PartialOrder],
        Yes,
        "some step of an ample set leads to a state that is not expanded yet",
        "Bošnački, Holzmann 2005",
    ),
    row(
        &[DepthLimited],
        &[PartialOrder, SleepSets],
        No,
        "the reduction may omit the only execution within the depth limit",
        "",
    ),
    row(
        &[Stateless],
        &[PartialOrder, SleepSets],
        No,
        "without a store the cycle proviso cannot be checked",
        "",
    ),
    row(
        FOR_CYCLES,
        &[PartialOrder],
        Yes,
        "the proviso is decided by control flow, so every search sees the same graph",
        KURSHAN_1998,
    ),
    row(&[PartialOrder], &[Plain, Tree], Yes, "", ""),
    row(
        &[PartialOrder],
        &[Compact, Bitstate],
        Yes,
        "a hash collision loses a state with and without reduction",
        HOLZMANN_2003,
    ),
    row(
        &[PartialOrder],
        FAIR,
        Yes,
        "steps that enable or disable the same process are dependent",
        PELED_1993,
    ),
    within(
        Timeout,
        row(
            &[PartialOrder],
            FAIR,
            No,
            "fairness depends on which processes are enabled, and timeout on all of them",
            "",
        ),
    ),
    row(&[PartialOrder], &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(
        &[PartialOrder, SleepSets],
        &[Checkpoint],
        No,
        "a resumed search lacks the stack that the cycle proviso needs",
        "",
    ),
    row(&[PartialOrder], &[Swarm, SleepSets], Yes, "", ""),
    row(
        &[PartialOrder],
        &[StepCounting],
        No,
        "the reduction omits steps, and the formula is not stutter-invariant",
        PELED_1993,
    ),
    row(
        &[PartialOrder],
        &[NeverClaim],
        No,
        "a hand-written never claim may count steps",
        "",
    ),
    row(
        &[PartialOrder],
        &[TraceAssertion],
        Yes,
        "the reduction preserves the order of the operations that the assertion observes",
        "",
    ),
    row(
        &[PartialOrder],
        &[RendezvousUnless],
        Yes,
        "a process that becomes ready to receive depends on those that observe the channel",
        BOSNACKI_2001,
    ),
    row(
        &[PartialOrder],
        &[Priorities],
        No,
        "with priorities, every process can affect whether another is enabled",
        "",
    ),
    row(
        &[PartialOrder],
        &[Enabled],
        No,
        "enabled() observes which processes are enabled",
        "",
    ),
    row(
        &[PartialOrder],
        &[PcValue],
        No,
        "pc_value() observes the control states of processes",
        "",
    ),
    row(
        &[PartialOrder],
        &[Last],
        No,
        "_last observes which process moved",
        "",
    ),
    row(
        &[PartialOrder],
        &[GlobalAtom],
        No,
        "the property observes all processes at once",
        "",
    ),
    // Sleep sets.
    row(
        &[Dfs],
        &[SleepSets],
        Yes,
        "each state stores its sleep set and is explored again with a smaller one",
        PELED_1993,
    ),
    row(
        &[Bfs],
        &[SleepSets],
        No,
        "breadth-first search avoids redundant steps by itself",
        "Godefroid 1996",
    ),
    row(&[SleepSets], EXACT_OR_HASHED, Yes, "", ""),
    row(
        &[SleepSets],
        &[Bitstate],
        No,
        "a bitstate store cannot record sleep sets; use another store",
        "",
    ),
    row(&[Safety], &[SleepSets], Yes, "", ""),
    row(
        &[Cycles],
        &[SleepSets],
        No,
        "sleep sets are known to preserve safety only; select it with --safety",
        "",
    ),
    row(&[SleepSets], &[CheckPor], Yes, "", ""),
    row(
        &[SleepSets],
        &[Symmetry],
        No,
        "a sleep set contains process ids, which a permutation renames",
        "",
    ),
    row(&[SleepSets], &[CheckSymmetry], Yes, "", ""),
    // Symmetry reduction.
    row(
        &[Dfs],
        &[Symmetry],
        Yes,
        "original states on the stack, representatives in the store",
        BOSNACKI_2001,
    ),
    row(
        &[Bfs, DepthLimited],
        &[Symmetry],
        Yes,
        "original states in the queue, representatives in the store",
        BOSNACKI_2001,
    ),
    row(
        &[Stateless],
        &[Symmetry, NotCanonical],
        No,
        "a stateless search compares no states",
        "",
    ),
    row(
        &[Dfs, Bfs, DepthLimited],
        &[NotCanonical],
        Yes,
        "an orbit may be stored more than once",
        BOSNACKI_2001,
    ),
    row(
        &[NestedDfs],
        &[Symmetry],
        Yes,
        "original states on the stack, so a cycle is closed by a real step",
        BOSNACKI_2001,
    ),
    row(
        &[WeakDfs, Scc, Owcty],
        &[Symmetry, NotCanonical],
        No,
        "among the searches for cycles only nested-dfs supports it",
        "",
    ),
    row(
        &[Cycles],
        &[NotCanonical],
        No,
        "a search for cycles needs one representative for each orbit",
        "",
    ),
    row(&[Safety], &[NotCanonical], Yes, "", ""),
    row(&[Symmetry, NotCanonical], EXACT_OR_HASHED, Yes, "", ""),
    within(
        Safety,
        row(&[Symmetry, NotCanonical], &[Bitstate], Yes, "", ""),
    ),
    within(
        Cycles,
        row(
            &[Symmetry],
            &[Bitstate],
            No,
            "a search for cycles with bit arrays stores no representatives",
            "",
        ),
    ),
    row(
        &[Symmetry],
        &[WeakFairness],
        Yes,
        "a cycle of representatives is unrolled process by process",
        BOSNACKI_2001,
    ),
    row(
        &[Symmetry],
        &[StrongFairness],
        No,
        "we know of no algorithm for strong fairness under symmetry",
        "",
    ),
    within(
        Safety,
        row(
            &[Symmetry, NotCanonical],
            &[PartialOrder],
            Yes,
            "the proviso ignores cycles that are closed by a permutation",
            "Emerson, Jha, Peled 1997",
        ),
    ),
    within(
        Cycles,
        row(
            &[Symmetry],
            &[PartialOrder],
            No,
            "not supported in searches for cycles; an open problem under fairness",
            BOSNACKI_2001,
        ),
    ),
    row(
        &[Symmetry, NotCanonical],
        &[CheckSymmetry, Swarm, NotCanonical],
        Yes,
        "",
        "",
    ),
    row(
        &[Symmetry, NotCanonical],
        &[Checkpoint],
        No,
        "a checkpoint contains original states only",
        "",
    ),
    row(
        &[Symmetry, NotCanonical],
        &[CheckPor],
        No,
        "--check-por compares original states",
        "",
    ),
    // Fairness.
    row(
        &[NestedDfs],
        &[WeakFairness],
        Yes,
        "k + 2 copies of the state space, one bit each per state",
        HOLZMANN_2003,
    ),
    row(
        &[NestedDfs],
        &[StrongFairness],
        No,
        "nested depth-first search cannot recognise strongly fair cycles; use --search owcty or \
         scc",
        CERNA_2003A,
    ),
    row(
        &[WeakDfs],
        FAIR,
        No,
        "a cycle of a weak automaton need not be fair",
        CERNA_2003B,
    ),
    row(
        &[Scc],
        FAIR,
        Yes,
        "a component is fair or is split further",
        CERNA_2003A,
    ),
    row(&[Owcty], FAIR, Yes, "as a Streett condition", CERNA_2003A),
    row(FAIR, STORES, Yes, "", ""),
    row(FAIR, &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(
        &[NestedDfs],
        &[Generalised],
        No,
        "nested depth-first search handles one acceptance set",
        "",
    ),
    // Saving, swarms, checks.
    row(&[Dfs, Bfs], &[Checkpoint], Yes, "", ""),
    within(
        Dfs,
        row(
            &[Shortest],
            &[Checkpoint],
            No,
            "--checkpoint and --resume support --search dfs and bfs only, dfs without --shortest",
            "",
        ),
    ),
    row(
        &[DepthLimited, Stateless],
        &[Checkpoint],
        No,
        "--checkpoint and --resume support --search dfs and bfs only",
        "",
    ),
    row(&[Checkpoint], STORES, Yes, "", ""),
    row(&[Safety], &[Checkpoint, Swarm], Yes, "", ""),
    row(
        &[Cycles],
        &[Checkpoint],
        No,
        "searches for cycles cannot be saved; select the safety properties with --safety",
        "",
    ),
    row(
        &[Cycles],
        &[Swarm],
        No,
        "a swarm searches for safety violations only; select them with --safety",
        "",
    ),
    row(
        &[Swarm],
        &[Checkpoint],
        No,
        "the members of a swarm cannot be saved",
        "",
    ),
    row(
        &[Dfs],
        &[Swarm],
        Yes,
        "bitstate searches that differ in order, depth and hash functions",
        "Holzmann, Joshi, Groce 2011",
    ),
    row(
        &[Bfs, DepthLimited, Stateless],
        &[Swarm],
        No,
        "the members of a swarm are depth-first searches",
        "",
    ),
    row(&[Swarm], &[Bitstate], Yes, "", ""),
    row(
        &[Swarm],
        EXACT_OR_HASHED,
        No,
        "the members of a swarm use --store bitstate",
        "",
    ),
    row(&[Swarm], &[CheckSymmetry], Yes, "", ""),
    row(
        &[Swarm],
        &[CheckPor],
        No,
        "--check-por checks the ample sets of a single search",
        "",
    ),
    row(FOR_SAFETY, &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(FOR_CYCLES, &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(STORES, &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(&[Checkpoint], &[CheckPor, CheckSymmetry], Yes, "", ""),
    row(&[CheckPor], &[CheckSymmetry], Yes, "", ""),
];
