//! The random tests.

use std::io;

use crate::cargo::TestBinary;

/// A test that takes `SPINOR_COUNT` and `SPINOR_SEED`.
pub struct RandomTest {
    package: &'static str,
    target: &'static str,
    /// The name in its file.
    pub name: &'static str,
    /// How many models it looks at in one run: a minute or so.
    pub count: u64,
}

impl RandomTest {
    /// The one of these binaries that holds it.
    pub fn binary<'a>(&self, binaries: &'a [TestBinary]) -> io::Result<&'a TestBinary> {
        let binary = binaries.iter().find(|binary| {
            binary.integration && binary.package == self.package && binary.target == self.target
        });
        let missing = || {
            let RandomTest {
                package,
                target,
                name,
                ..
            } = self;
            io::Error::other(format!("there is no test {package}::{target}::{name}"))
        };
        let binary = binary.ok_or_else(missing)?;
        let listed = binary
            .command()
            .args(["--list", "--exact", self.name])
            .output()?;
        let line = format!("{}: test", self.name);
        let listed = String::from_utf8_lossy(&listed.stdout);
        match listed.lines().any(|listed| listed == line) {
            true => Ok(binary),
            false => Err(missing()),
        }
    }
}

const fn checker(target: &'static str, name: &'static str, count: u64) -> RandomTest {
    RandomTest {
        package: "checker",
        target,
        name,
        count,
    }
}

const fn cli(target: &'static str, name: &'static str, count: u64) -> RandomTest {
    RandomTest {
        package: "cli",
        ..checker(target, name, count)
    }
}

/// All of them.
pub const RANDOM: &[RandomTest] = &[
    cli("combinations", "all_combinations_agree", 500),
    checker("backends", "random_models", 1_000),
    checker("check_por", "random_models", 1_000),
    checker("check_por", "random_families", 1_000),
    checker("check_por", "random_provided_clauses", 1_000),
    checker("collapse", "random_models", 500),
    checker("collapse", "random_families", 500),
    checker("collapse", "random_symmetric", 500),
    checker("cycles", "random_models", 200),
    checker("cycles", "random_endless_atomic_sequences", 40),
    checker("cycles", "random_provided_clauses", 200),
    checker("cycles", "random_members_with_several_names", 100),
    checker("cycles", "a_formula_or_its_negation_is_violated", 1_000),
    checker("independence", "random_models", 1_000),
    checker("partial_order", "random_models", 1_000),
    checker("partial_order", "random_families", 1_000),
    checker("partial_order", "random_provided_clauses", 1_000),
    checker("partial_order", "random_members_with_several_names", 1_000),
    checker("partial_order_cycles", "random_models", 200),
    checker("partial_order_cycles", "random_provided_clauses", 200),
    checker("partial_order_cycles", "random_waiting_processes", 200),
    checker(
        "partial_order_cycles",
        "random_endless_atomic_sequences",
        40,
    ),
    checker("reduction", "random_models_keep_their_verdicts", 1_000),
    checker("robust", "mutated_models", 5_000),
    checker("robust", "token_soup", 10_000),
    checker("symmetry", "random_models", 1_000),
    checker("symmetry", "random_symmetric_models", 1_000),
    checker("symmetry", "random_members_with_several_names", 1_000),
    checker("symmetry", "random_families_in_one_array", 200),
    checker("symmetry", "cycles_of_random_symmetric_models", 500),
    checker("symmetry", "cycles_of_members_with_several_names", 500),
];
