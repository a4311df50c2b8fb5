//! Boolean functions of atoms as reduced ordered decision diagrams.
//!
//! Follows: [Bryant 1986]; the sums of cubes follow [Minato 1992].
//!
//! Equal functions have equal numbers, which is what the reductions of automata live on. The
//! recursions go no deeper than there are atoms.

use rapidhash::RapidHashMap;

use crate::automaton::Cube;

/// A boolean function, known to its [`Bdds`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub const FALSE: Bdd = Bdd(0);
    pub const TRUE: Bdd = Bdd(1);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Choice {
    atom: u32,
    no: Bdd,
    yes: Bdd,
}

/// The table of all functions.
#[derive(Clone, Debug)]
pub(crate) struct Bdds {
    choices: Vec<Choice>,
    unique: RapidHashMap<Choice, Bdd>,
    cases: RapidHashMap<(Bdd, Bdd, Bdd), Bdd>,
}

/// Behind all atoms: the level of the constants.
const LEAF: u32 = u32::MAX;

impl Default for Bdds {
    fn default() -> Self {
        let leaf = |value| Choice {
            atom: LEAF,
            no: value,
            yes: value,
        };
        Bdds {
            choices: vec![leaf(Bdd::FALSE), leaf(Bdd::TRUE)],
            unique: RapidHashMap::default(),
            cases: RapidHashMap::default(),
        }
    }
}

impl Bdds {
    fn level(&self, function: Bdd) -> u32 {
        self.choices[function.0 as usize].atom
    }

    fn make(&mut self, atom: u32, no: Bdd, yes: Bdd) -> Bdd {
        if no == yes {
            return no;
        }
        let choice = Choice { atom, no, yes };
        *self.unique.entry(choice).or_insert_with(|| {
            self.choices.push(choice);
            Bdd(self.choices.len() as u32 - 1)
        })
    }

    /// The function that is the value of an atom.
    pub fn atom(&mut self, atom: u32) -> Bdd {
        self.make(atom, Bdd::FALSE, Bdd::TRUE)
    }

    /// Both functions that `function` is, without and with the atom.
    fn split(&self, function: Bdd, atom: u32) -> (Bdd, Bdd) {
        let choice = self.choices[function.0 as usize];
        if choice.atom == atom {
            (choice.no, choice.yes)
        } else {
            (function, function)
        }
    }

    /// If `test` then `yes` else `no`.
    pub fn case(&mut self, test: Bdd, yes: Bdd, no: Bdd) -> Bdd {
        match (test, yes, no) {
            (Bdd::TRUE, ..) => return yes,
            (Bdd::FALSE, ..) => return no,
            (_, Bdd::TRUE, Bdd::FALSE) => return test,
            _ if yes == no => return yes,
            _ => {}
        }
        if let Some(&known) = self.cases.get(&(test, yes, no)) {
            return known;
        }
        let levels = [test, yes, no].map(|function| self.level(function));
        let atom = levels.into_iter().min().expect("three levels");
        let (test_no, test_yes) = self.split(test, atom);
        let (yes_no, yes_yes) = self.split(yes, atom);
        let (no_no, no_yes) = self.split(no, atom);
        let without = self.case(test_no, yes_no, no_no);
        let with = self.case(test_yes, yes_yes, no_yes);
        let result = self.make(atom, without, with);
        self.cases.insert((test, yes, no), result);
        result
    }

    pub fn and(&mut self, left: Bdd, right: Bdd) -> Bdd {
        // The order does not matter; one of both finds more in the table.
        self.case(left.min(right), left.max(right), Bdd::FALSE)
    }

    pub fn or(&mut self, left: Bdd, right: Bdd) -> Bdd {
        self.case(left.min(right), Bdd::TRUE, left.max(right))
    }

    pub fn not(&mut self, function: Bdd) -> Bdd {
        self.case(function, Bdd::FALSE, Bdd::TRUE)
    }

    /// `left` where `right` is false.
    pub fn without(&mut self, left: Bdd, right: Bdd) -> Bdd {
        self.case(right, Bdd::FALSE, left)
    }

    /// True if `right` holds wherever `left` does.
    pub fn implies(&mut self, left: Bdd, right: Bdd) -> bool {
        self.without(left, right) == Bdd::FALSE
    }

    /// A function that agrees with `function` wherever `care` holds, with fewer choices if one is
    /// found that way; otherwise `function`.
    ///
    /// Follows: the operator of this name in [Coudert, Madre 1990].
    pub fn restrict(&mut self, function: Bdd, care: Bdd) -> Bdd {
        if care == Bdd::FALSE {
            return function;
        }
        let found = self.restricted(function, care, &mut RapidHashMap::default());
        if self.choices_in(found) < self.choices_in(function) {
            found
        } else {
            function
        }
    }

    /// `care` is never false.
    fn restricted(
        &mut self,
        function: Bdd,
        care: Bdd,
        known: &mut RapidHashMap<(Bdd, Bdd), Bdd>,
    ) -> Bdd {
        if care == Bdd::TRUE || self.level(function) == LEAF {
            return function;
        }
        if let Some(&known) = known.get(&(function, care)) {
            return known;
        }
        let atom = self.level(function).min(self.level(care));
        let (no, yes) = self.split(function, atom);
        let (care_no, care_yes) = self.split(care, atom);
        let result = if care_no == Bdd::FALSE {
            self.restricted(yes, care_yes, known)
        } else if care_yes == Bdd::FALSE {
            self.restricted(no, care_no, known)
        } else if self.level(function) != atom {
            let either = self.or(care_no, care_yes);
            self.restricted(function, either, known)
        } else {
            let no = self.restricted(no, care_no, known);
            let yes = self.restricted(yes, care_yes, known);
            self.make(atom, no, yes)
        };
        known.insert((function, care), result);
        result
    }

    /// The number of choices in a diagram.
    fn choices_in(&self, function: Bdd) -> usize {
        let mut found = vec![function];
        let mut at = 0;
        while at < found.len() {
            let choice = self.choices[found[at].0 as usize];
            for next in [choice.no, choice.yes] {
                if !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found.len()
    }

    /// The value under a valuation: bit `i` is the value of atom `i`.
    pub fn value(&self, mut function: Bdd, values: u64) -> bool {
        while self.level(function) != LEAF {
            let choice = self.choices[function.0 as usize];
            let holds = values >> choice.atom & 1 == 1;
            function = if holds { choice.yes } else { choice.no };
        }
        function == Bdd::TRUE
    }

    /// A valuation that makes the function true.
    pub fn witness(&self, mut function: Bdd) -> Option<u64> {
        let mut values = 0;
        while self.level(function) != LEAF {
            let choice = self.choices[function.0 as usize];
            if choice.no == Bdd::FALSE {
                values |= 1 << choice.atom;
                function = choice.yes;
            } else {
                function = choice.no;
            }
        }
        (function == Bdd::TRUE).then_some(values)
    }

    /// The function of a list of cubes.
    pub fn of_cubes(&mut self, cubes: &[Cube]) -> Bdd {
        let mut sum = Bdd::FALSE;
        for cube in cubes {
            let mut product = Bdd::TRUE;
            for atom in (0..64).rev() {
                let (no, yes) = if cube.positive >> atom & 1 == 1 {
                    (Bdd::FALSE, product)
                } else if cube.negative >> atom & 1 == 1 {
                    (product, Bdd::FALSE)
                } else {
                    continue;
                };
                product = self.make(atom, no, yes);
            }
            sum = self.or(sum, product);
        }
        sum
    }

    /// The function as a disjunction of cubes that exclude each other.
    pub fn paths(&self, function: Bdd) -> Vec<Cube> {
        let mut paths = Vec::new();
        let mut open = vec![(function, Cube::ALL)];
        while let Some((function, cube)) = open.pop() {
            let choice = self.choices[function.0 as usize];
            match choice.atom {
                LEAF if function == Bdd::TRUE => paths.push(cube),
                LEAF => {}
                atom => {
                    open.push((choice.yes, cube.with(atom, true)));
                    open.push((choice.no, cube.with(atom, false)));
                }
            }
        }
        paths
    }

    /// The function as a disjunction of cubes of which none can be left out.
    pub fn cubes(&mut self, function: Bdd) -> Vec<Cube> {
        self.sum(function, function).0
    }

    /// Cubes that cover at least `least` and at most `most`, and what they cover.
    fn sum(&mut self, least: Bdd, most: Bdd) -> (Vec<Cube>, Bdd) {
        if least == Bdd::FALSE {
            return (Vec::new(), Bdd::FALSE);
        }
        if most == Bdd::TRUE {
            return (vec![Cube::ALL], Bdd::TRUE);
        }
        let atom = self.level(least).min(self.level(most));
        let (least_no, least_yes) = self.split(least, atom);
        let (most_no, most_yes) = self.split(most, atom);
        // What needs the atom, what needs its negation, and what needs neither.
        let only_no = self.without(least_no, most_yes);
        let only_yes = self.without(least_yes, most_no);
        let (cubes_no, covered_no) = self.sum(only_no, most_no);
        let (cubes_yes, covered_yes) = self.sum(only_yes, most_yes);
        let rest_no = self.without(least_no, covered_no);
        let rest_yes = self.without(least_yes, covered_yes);
        let rest = self.or(rest_no, rest_yes);
        let most_both = self.and(most_no, most_yes);
        let (cubes_both, covered_both) = self.sum(rest, most_both);
        let mut cubes = Vec::new();
        cubes.extend(cubes_no.into_iter().map(|cube| cube.with(atom, false)));
        cubes.extend(cubes_yes.into_iter().map(|cube| cube.with(atom, true)));
        cubes.extend(cubes_both);
        let split = self.make(atom, covered_no, covered_yes);
        let covered = self.or(split, covered_both);
        (cubes, covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function of three atoms, as a sum of minterms.
    #[test]
    fn cubes_say_what_the_function_says() {
        for table in 0..256u32 {
            let mut bdds = Bdds::default();
            let minterms: Vec<Cube> = (0..8u64)
                .filter(|values| table >> values & 1 == 1)
                .map(|values| Cube {
                    positive: values,
                    negative: !values & 7,
                })
                .collect();
            let function = bdds.of_cubes(&minterms);
            let cubes = bdds.cubes(function);
            assert!(cubes.len() <= 4, "{table}: {cubes:?}");
            assert_eq!(bdds.of_cubes(&cubes), function);
            let paths = bdds.paths(function);
            for values in 0..8 {
                let holds = table >> values & 1 == 1;
                assert_eq!(bdds.value(function, values), holds);
                assert_eq!(cubes.iter().any(|cube| cube.admits(values)), holds);
                let along = paths.iter().filter(|path| path.admits(values)).count();
                assert_eq!(along, usize::from(holds));
            }
            let witness = bdds.witness(function);
            assert_eq!(witness.is_some(), table != 0);
            assert!(witness.is_none_or(|values| table >> values & 1 == 1));
            for atom in 0..3 {
                let care = bdds.atom(atom);
                let same = bdds.restrict(function, care);
                assert_eq!(bdds.and(same, care), bdds.and(function, care));
            }
            let negation = bdds.not(function);
            assert_eq!(bdds.or(function, negation), Bdd::TRUE);
            assert_eq!(bdds.and(function, negation), Bdd::FALSE);
        }
    }
}
