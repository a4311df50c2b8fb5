//! What is measured: the models with their sizes, and our configurations.

/// Which verifier of Spin a configuration is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All states, as they are.
    Exact,
    /// Three bits a state.
    Bitstate,
}

/// A model of the set.
#[derive(Debug)]
pub struct Entry {
    /// The name in tables and in `--models`.
    pub name: &'static str,
    /// The file in `models/bench`.
    pub file: &'static str,
    /// The size for the speed of the search.
    pub full: Size,
    /// The size for the time from model to verdict.
    pub small: Option<Size>,
    /// Measured only to see how the time per state grows.
    pub growth_only: bool,
}

/// A state space.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The macros that make it.
    pub defines: &'static [&'static str],
    /// The states that Spin's verifier stores.
    pub stored: u64,
    /// The depth that it reaches, for the size of its stack.
    pub depth: u64,
}

/// A way to run spinor.
#[derive(Debug)]
pub struct Config {
    /// The name in tables and in `--configs`.
    pub name: &'static str,
    /// The value of `--search`.
    pub search: &'static str,
    /// The value of `--store`.
    pub store: &'static str,
    /// The value of `--backend`; without one, spinor chooses.
    pub backend: Option<&'static str>,
    /// The value of `--por`; without one, there is no partial-order reduction.
    pub por: Option<&'static str>,
    /// What it is held against.
    pub reference: Kind,
    /// Its numbers of states and transitions must be Spin's.
    pub exact: bool,
}

const fn size(defines: &'static [&'static str], stored: u64, depth: u64) -> Size {
    Size {
        defines,
        stored,
        depth,
    }
}

const fn entry(name: &'static str, file: &'static str, small: Size, full: Size) -> Entry {
    Entry {
        name,
        file,
        full,
        small: Some(small),
        growth_only: false,
    }
}

const fn config(
    name: &'static str,
    search: &'static str,
    store: &'static str,
    backend: Option<&'static str>,
) -> Config {
    Config {
        name,
        search,
        store,
        backend,
        por: None,
        reference: Kind::Exact,
        exact: true,
    }
}

/// The models, in the order of the tables.
pub const MODELS: &[Entry] = &[
    entry(
        "peterson",
        "peterson.pml",
        size(&[], 14_998, 4_861),
        size(&["N=4"], 1_726_040, 314_766),
    ),
    Entry {
        small: None,
        growth_only: true,
        ..entry(
            "peterson-fine",
            "peterson.pml",
            size(&[], 14_998, 4_861),
            size(&["N=4", "FINE"], 28_005_642, 3_862_878),
        )
    },
    entry(
        "philosophers-rendezvous",
        "philosophers_rendezvous.pml",
        size(&[], 22_422, 16_870),
        size(&["N=7"], 1_281_934, 1_106_150),
    ),
    entry(
        "philosophers-buffered",
        "philosophers_buffered.pml",
        size(&[], 73_483, 16_841),
        size(&["N=5"], 1_837_895, 421_372),
    ),
    entry(
        "leader-ring",
        "leader_ring.pml",
        size(&[], 5_033, 92),
        size(&["N=9"], 2_166_083, 164),
    ),
    entry(
        "sliding-window",
        "sliding_window.pml",
        size(&[], 34_188, 8_585),
        size(&["WINDOW=6", "ROOM=4"], 2_832_296, 304_236),
    ),
    entry(
        "snoop",
        "snoop.pml",
        size(&[], 20_212, 4_551),
        size(&["N=5"], 1_500_776, 234_043),
    ),
    entry(
        "elevator",
        "elevator.pml",
        size(&[], 41_500, 10_085),
        size(&["FLOORS=6"], 3_324_428, 604_356),
    ),
    entry(
        "fischer",
        "fischer.pml",
        size(&[], 46_189, 44_390),
        size(&["N=7"], 2_781_055, 634_814),
    ),
];

/// The two models whose times per state are compared: one family, a small and a large member.
pub const GROWTH: [&str; 2] = ["peterson", "peterson-fine"];

/// Our configurations, in the order of the tables.
pub const CONFIGS: &[Config] = &[
    config("bfs-plain", "bfs", "plain", None),
    config("dfs-plain", "dfs", "plain", None),
    config("bfs-tree", "bfs", "tree", None),
    config("dfs-tree", "dfs", "tree", None),
    Config {
        exact: false,
        ..config("bfs-compact", "bfs", "compact", None)
    },
    Config {
        reference: Kind::Bitstate,
        exact: false,
        ..config("bfs-bitstate", "bfs", "bitstate", None)
    },
    Config {
        reference: Kind::Bitstate,
        exact: false,
        ..config("dfs-bitstate", "dfs", "bitstate", None)
    },
    config("bfs-plain-interp", "bfs", "plain", Some("interp")),
];

/// Depth-first search without and with partial-order reduction.
pub const REDUCTIONS: [Config; 2] = [
    Config {
        por: Some("none"),
        ..config("none", "dfs", "plain", None)
    },
    Config {
        por: Some("auto"),
        ..config("auto", "dfs", "plain", None)
    },
];

/// The members of `all` with the given names, or all that `usual` selects if none is given.
pub fn select<'a, T>(
    all: &'a [T],
    names: &[String],
    name: impl Fn(&T) -> &'static str,
    usual: impl Fn(&T) -> bool,
) -> Result<Vec<&'a T>, String> {
    if names.is_empty() {
        return Ok(all.iter().filter(|member| usual(member)).collect());
    }
    if let Some(unknown) = names.iter().find(|n| !all.iter().any(|m| name(m) == **n)) {
        let known: Vec<_> = all.iter().map(&name).collect();
        return Err(format!("no `{unknown}`, only {}", known.join(", ")));
    }
    let selected = |member: &&T| names.iter().any(|n| n == name(member));
    Ok(all.iter().filter(selected).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn names_select() {
        let by_name = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let selected = select(CONFIGS, &names, |c| c.name, |c| c.exact);
            selected.map(|list| list.iter().map(|c| c.name).collect::<Vec<_>>())
        };
        let in_order = Ok(vec!["dfs-plain", "dfs-tree"]);
        assert_eq!(by_name(&["dfs-tree", "dfs-plain"]), in_order);
        assert_eq!(by_name(&[]).map(|list| list.len()), Ok(5));
        assert!(by_name(&["dfs-plain", "magic"]).is_err_and(|why| why.contains("magic")));
    }

    #[test]
    fn the_small_sizes_are_those_of_the_corpus() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/bench");
        for entry in MODELS {
            let text = std::fs::read_to_string(models.join(entry.file)).expect(entry.file);
            let Some(small) = entry.small else { continue };
            assert!(small.defines.is_empty(), "{}", entry.name);
            for (key, number) in [("stored", small.stored), ("depth", small.depth)] {
                let line = format!("// expect: {key} {number}\n");
                assert!(text.contains(&line), "{}: {line}", entry.name);
            }
        }
    }

    #[test]
    fn the_family_is_part_of_the_set() {
        for name in GROWTH {
            assert!(MODELS.iter().any(|entry| entry.name == name), "{name}");
        }
    }
}
