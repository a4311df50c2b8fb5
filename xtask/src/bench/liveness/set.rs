//! What is measured for liveness: claims on the models of the set.

use super::super::set::Size;

/// What a claim rules out, in expressions of the model.
#[derive(Clone, Copy, Debug)]
pub enum Property {
    /// It is true again and again.
    Recurrence(&'static str),
    /// Whenever the first is true, the second is true then or later.
    Response(&'static str, &'static str),
}

/// Which executions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    None,
    /// The weakly fair ones; with the number of words that `pan` needs for its copies.
    Weak { nfair: u32 },
}

/// A state space with and without a claim.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The model alone.
    pub safety: Size,
    /// The model with the claim beside it.
    pub product: Size,
}

/// A property that holds.
#[derive(Debug)]
pub struct Holding {
    /// The name of the model.
    pub name: &'static str,
    /// The file in `models/bench`.
    pub file: &'static str,
    /// What is claimed.
    pub property: Property,
    /// What it needs to hold.
    pub fairness: Fairness,
    /// The size for the speed of the search.
    pub full: Sizes,
    /// A size that is searched at once.
    pub small: Sizes,
}

/// A property that does not hold.
#[derive(Debug)]
pub struct Violated {
    /// The name of the model.
    pub name: &'static str,
    /// The file in `models/bench`.
    pub file: &'static str,
    /// What is claimed.
    pub property: Property,
    /// The macros of the large size.
    pub full: &'static [&'static str],
}

impl Property {
    /// The formula.
    pub fn formula(self) -> String {
        let operand = |p: &str| match p.contains(' ') {
            true => format!("({p})"),
            false => p.to_owned(),
        };
        match self {
            Property::Recurrence(p) => format!("[] <> {}", operand(p)),
            Property::Response(p, q) => format!("[] ({} -> <> {})", operand(p), operand(q)),
        }
    }

    /// A never claim that matches what violates the property.
    ///
    /// It is written by hand, because both engines have a translation of their own, and the
    /// product has to be the same. Without accepting labels the product stays the same,
    /// but there is nothing left to find in it.
    pub fn claim(self, accepting: bool) -> String {
        let label = match accepting {
            true => "accept_without",
            false => "without",
        };
        let (begin, without) = match self {
            Property::Recurrence(p) => (format!("!({p})"), p),
            Property::Response(p, q) => (format!("({p}) && !({q})"), q),
        };
        format!(
            "\nnever {{\nwatch:\n  do\n  :: true\n  :: {begin} -> goto {label}\n  od;\n{label}:\n  \
             do\n  :: !({without})\n  od\n}}\n"
        )
    }
}

impl Fairness {
    /// The value of `--fairness`.
    pub fn word(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak { .. } => "weak",
        }
    }
}

impl Holding {
    /// The first cell of its rows.
    pub fn title(&self) -> String {
        match self.fairness {
            Fairness::None => format!("{}, `{}`", self.name, self.property.formula()),
            Fairness::Weak { .. } => format!("{}, `{}`, weak", self.name, self.property.formula()),
        }
    }
}

const fn size(defines: &'static [&'static str], stored: u64, depth: u64) -> Size {
    Size {
        defines,
        stored,
        depth,
    }
}

/// Sizes from states and depth of a model, and of its product with a claim.
const fn sizes(defines: &'static [&'static str], safety: (u64, u64), product: (u64, u64)) -> Sizes {
    Sizes {
        safety: size(defines, safety.0, safety.1),
        product: size(defines, product.0, product.1),
    }
}

const WEAK: Fairness = Fairness::Weak { nfair: 2 };

/// Somebody is in the critical section again and again: no process waits busily.
const PETERSON: Holding = Holding {
    name: "peterson",
    file: "peterson.pml",
    property: Property::Recurrence("inside == 1"),
    fairness: Fairness::None,
    full: sizes(&["N=4"], (1_726_040, 314_766), (3_433_371, 629_565)),
    small: sizes(&[], (14_998, 4_861), (29_635, 9_725)),
};

const PHILOSOPHERS_BUFFERED: Holding = Holding {
    name: "philosophers-buffered",
    file: "philosophers_buffered.pml",
    property: Property::Recurrence("eating > 0"),
    fairness: Fairness::None,
    full: sizes(&["N=5"], (1_837_895, 421_372), (3_435_993, 842_772)),
    small: sizes(&[], (73_483, 16_841), (138_727, 33_698)),
};

/// The properties that hold, in the order of the tables.
pub const HOLDING: &[Holding] = &[
    PETERSON,
    Holding {
        name: "philosophers-rendezvous",
        file: "philosophers_rendezvous.pml",
        property: Property::Recurrence("dining > 0"),
        fairness: Fairness::None,
        full: sizes(&["N=7"], (1_281_934, 1_106_150), (2_411_680, 1_917_298)),
        small: sizes(&[], (22_422, 16_870), (42_874, 29_226)),
    },
    PHILOSOPHERS_BUFFERED,
    Holding {
        name: "leader-ring",
        file: "leader_ring.pml",
        property: Property::Recurrence("leaders == 1"),
        fairness: Fairness::None,
        full: sizes(&["N=9"], (2_166_083, 164), (4_332_041, 299)),
        small: sizes(&[], (5_033, 92), (10_015, 167)),
    },
    Holding {
        name: "elevator",
        file: "elevator.pml",
        property: Property::Response("outside[0]", "open"),
        fairness: Fairness::None,
        full: sizes(&["FLOORS=6"], (3_324_428, 604_356), (3_481_148, 1_167_993)),
        small: sizes(&[], (41_500, 10_085), (48_140, 19_203)),
    },
    Holding {
        fairness: WEAK,
        ..PETERSON
    },
    Holding {
        fairness: WEAK,
        ..PHILOSOPHERS_BUFFERED
    },
    Holding {
        name: "snoop",
        file: "snoop.pml",
        property: Property::Recurrence("bus == 0"),
        fairness: WEAK,
        full: sizes(&["N=5"], (1_500_776, 234_043), (2_986_330, 452_017)),
        small: sizes(&[], (20_212, 4_551), (39_422, 8_753)),
    },
];

/// The properties that do not hold, for the lengths of counterexamples.
pub const VIOLATED: &[Violated] = &[
    Violated {
        name: "peterson",
        file: "peterson.pml",
        property: Property::Response("room[0] > 0", "room[0] == 0"),
        full: &["N=4"],
    },
    Violated {
        name: "token-ring",
        file: "token_ring.pml",
        property: Property::Response("waits[0]", "!waits[0]"),
        full: &["N=8"],
    },
    Violated {
        name: "elevator",
        file: "elevator.pml",
        property: Property::Response("outside[0]", "open && floor == 0"),
        full: &["FLOORS=5"],
    },
];

#[cfg(test)]
mod tests {
    use super::super::super::set::MODELS;
    use super::*;

    #[test]
    fn claims_differ_in_their_labels_only() {
        let property = Property::Response("p", "q");
        let accepting = property.claim(true);
        assert!(accepting.contains(":: (p) && !(q) -> goto accept_without\n"));
        assert!(accepting.contains("\naccept_without:\n"), "{accepting}");
        let plain = accepting.replace("accept_", "");
        assert_eq!(property.claim(false), plain);
        assert_eq!(property.formula(), "[] (p -> <> q)");
        let formula = Property::Recurrence("x > 0").formula();
        assert_eq!(formula, "[] <> (x > 0)");
    }

    #[test]
    fn the_models_are_those_of_the_set() {
        for claim in HOLDING {
            let entry = MODELS.iter().find(|entry| entry.name == claim.name);
            let entry = entry.expect(claim.name);
            let same = |ours: Size, theirs: Size| {
                assert_eq!(ours.defines, theirs.defines, "{}", claim.name);
                let pair = |size: Size| (size.stored, size.depth);
                assert_eq!(pair(ours), pair(theirs), "{}", claim.name);
            };
            same(claim.full.safety, entry.full);
            same(claim.small.safety, entry.small.expect(claim.name));
        }
    }
}
