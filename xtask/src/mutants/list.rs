//! Single-line faults, each with the random test that must find it.

/// A line replaced by another.
pub struct Mutant {
    /// What the fault is.
    pub fault: &'static str,
    /// The file, below the root of the project.
    pub file: &'static str,
    /// The line without its indentation. It stands there once.
    pub line: &'static str,
    /// What takes its place.
    pub by: &'static str,
    /// The integration test of `checker` that must fail.
    pub test: &'static str,
    /// Its random tests, the likeliest first.
    pub only: &'static [&'static str],
}

const fn mutant(
    fault: &'static str,
    file: &'static str,
    [line, by]: [&'static str; 2],
    test: &'static str,
    only: &'static [&'static str],
) -> Mutant {
    Mutant {
        fault,
        file,
        line,
        by,
        test,
        only,
    }
}

const POR: &[&str] = &[
    "random_provided_clauses",
    "random_models",
    "random_families",
];
const SYMMETRY: &[&str] = &[
    "random_members_with_several_names",
    "random_families_in_one_array",
    "random_symmetric_models",
];
const SYMMETRIC_CYCLES: &[&str] = &[
    "cycles_of_members_with_several_names",
    "cycles_of_random_symmetric_models",
];
const POR_CYCLES: &[&str] = &[
    "random_waiting_processes",
    "random_provided_clauses",
    "random_models",
];
const CYCLES: &[&str] = &[
    "a_formula_or_its_negation_is_violated",
    "random_provided_clauses",
    "random_models",
];

/// The faults.
pub const MUTANTS: &[Mutant] = &[
    mutant(
        "a look at a channel does not depend on receives from it",
        "crates/model/src/dependency/uses.rs",
        [
            "|| self.looks.meets(&other.receives)\n            || self.asks_sent.meets(&other.receives)",
            "|| self.asks_sent.meets(&other.receives)",
        ],
        "partial_order",
        POR,
    ),
    mutant(
        "what decides about a receive does not turn its channel",
        "crates/model/src/dependency/listening.rs",
        [
            "!used.turns.contains(&receive.hears) && used.moves_mind(&receive.decides)",
            "false",
        ],
        "partial_order",
        POR,
    ),
    mutant(
        "an `else` does not watch the channels of the sends beside it",
        "crates/model/src/dependency/uses.rs",
        ["self.watches.add(&other.offers);", ""],
        "partial_order",
        POR,
    ),
    mutant(
        "a send does not wait for receives from a full channel",
        "crates/model/src/dependency/uses.rs",
        [
            "|| self.sends.meets(&other.receives)\n            || self.receives.meets(&other.sends)",
            "|| self.receives.meets(&other.sends)",
        ],
        "partial_order",
        POR,
    ),
    mutant(
        "a `provided` clause is not read by the steps of its process",
        "crates/model/src/dependency/uses.rs",
        ["footprint.add_expr(model, provided);", "let _ = provided;"],
        "partial_order",
        POR,
    ),
    mutant(
        "steps that the property sees may be in an ample set",
        "crates/model/src/dependency/table.rs",
        ["visible |= step.visible;", ""],
        "partial_order_cycles",
        POR_CYCLES,
    ),
    mutant(
        "steps that close a cycle of control flow may be in an ample set",
        "crates/model/src/dependency/table.rs",
        ["sticky |= step.sticky;", ""],
        "partial_order_cycles",
        POR_CYCLES,
    ),
    mutant(
        "a step of an ample set may lead back to the path",
        "crates/search/src/reduced_dfs.rs",
        [
            "state.is_none_or(|state| !S::RENAMES && self.have_moved_since(state, left_out))",
            "state.is_none_or(|_| true)",
        ],
        "partial_order",
        POR,
    ),
    mutant(
        "whether another process can move does not count under fairness",
        "crates/model/src/dependency/table.rs",
        ["used.writes.insert(cell);", "let _ = cell;"],
        "partial_order_cycles",
        POR_CYCLES,
    ),
    mutant(
        "every name becomes that of the first role",
        "crates/model/src/symmetry/action.rs",
        [
            "cell.write(state, self.roles[name.role.index()][other]);",
            "cell.write(state, self.roles[0][other]);",
        ],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "elements of an array are exchanged whatever the role of their index",
        "crates/model/src/symmetry/build.rs",
        ["Index::Member(name.role)", "Index::Number(u32::MAX)"],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "names may be compared by size",
        "crates/model/src/symmetry/infer.rs",
        [
            "self.operand(*a, reason, context);\n                self.operand(*b, reason, context);",
            "",
        ],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "a number may name a member",
        "crates/model/src/symmetry/solve.rs",
        ["role.values.contains(&number)", "false"],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "the order of a loop over all members does not matter",
        "crates/model/src/symmetry/loops.rs",
        [
            "if !self.is_unordered(place, value, &writes, &reads, found.counter) {",
            "if false {",
        ],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "members of one colour are taken for twins",
        "crates/reduce/src/orbit/refined.rs",
        [
            "twins &= vector == state;",
            "twins &= vector.len() == state.len();",
        ],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "permutations of a segment are left out",
        "crates/reduce/src/orbit/segments.rs",
        [
            "let other = if length.is_multiple_of(2) { round } else { 0 };",
            "let other = 0;",
        ],
        "symmetry",
        SYMMETRY,
    ),
    mutant(
        "a process keeps its name in the representative",
        "crates/reduce/src/orbit/mod.rs",
        [
            "let position = self.arrangement.position_of(member);",
            "let position = member.position;",
        ],
        "symmetry",
        SYMMETRIC_CYCLES,
    ),
    mutant(
        "a claim does not go on when the model has ended",
        "crates/product/src/product.rs",
        [
            "self.alone(state, taken, control, 0, found);",
            "let _ = (taken, control);",
        ],
        "cycles",
        CYCLES,
    ),
    mutant(
        "a move behind which another process is due counts as fair to it",
        "crates/search/src/weak_fairness.rs",
        [
            "unmet |= self.bit(row.pid).unwrap_or(1 << BEYOND);",
            "let _ = row;",
        ],
        "cycles",
        CYCLES,
    ),
    mutant(
        "a component that is left loses what its roots had met",
        "crates/search/src/scc.rs",
        ["sets |= root.arc.sets;", ""],
        "cycles",
        CYCLES,
    ),
    mutant(
        "a process that cannot move must have moved",
        "crates/search/src/owcty/pass.rs",
        [
            "Condition::Weak(pid) => !enabled.contains(pid) || worth.movers.contains(pid),",
            "Condition::Weak(pid) => worth.movers.contains(pid),",
        ],
        "cycles",
        CYCLES,
    ),
    mutant(
        "a fair cycle under symmetry need not meet the acceptance sets",
        "crates/search/src/rwf.rs",
        ["if item.met && behind == id {", "if behind == id {"],
        "symmetry",
        SYMMETRIC_CYCLES,
    ),
];
