//! Which processes can be exchanged: the sets that survive what is done with their names.
//!
//! The processes of each proctype are a candidate. What they are called by is found in `namings`. A
//! sort in which names of two candidates are the same values makes them one set: member by member they
//! change places together. Names with other values are another [`Role`] of the members.

use super::Broken;
use super::infer::{Constraint, Inference, Use, WholeExpr};
use super::invariant::{Exchange, Normaliser};
use super::namings::{self, Naming};
use super::root::Root;
use super::sorts::Sort;
use crate::ids::ProctypeId;
use crate::model::Location;

/// The processes of a proctype, of which some name may be known.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) proctype: ProctypeId,
    pub(super) pids: Vec<u8>,
    /// The set that it belongs to, and the position of each process in it; none if its
    /// processes cannot be exchanged.
    pub(super) set: Option<usize>,
    pub(super) positions: Vec<usize>,
}

/// What values of a sort are to the members of a set: their pids in one of their proctypes, the
/// values of a parameter, one of the channels of each.
///
/// Roles of one sort have no value in common, so a value of a sort names a member in one role, or it
/// names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) sort: Sort,
    pub(super) set: usize,
    /// By position.
    pub(super) values: Vec<i32>,
}

/// Why candidates cannot be exchanged.
pub(super) type Objection = (Vec<usize>, &'static str);

/// What was found.
#[derive(Clone, Debug, Default)]
pub(super) struct Solution {
    pub(super) candidates: Vec<Candidate>,
    /// The number of members of each set.
    pub(super) sizes: Vec<usize>,
    pub(super) roles: Vec<Role>,
    pub(super) broken: Vec<Broken>,
}

/// Two members exchanged.
struct Swap<'a> {
    roles: &'a [Role],
    set: usize,
    pair: (usize, usize),
}

impl Exchange for Swap<'_> {
    fn image(&self, sort: Sort, value: i32) -> i32 {
        let own = (self.roles.iter()).filter(|r| (r.sort, r.set) == (sort, self.set));
        for role in own {
            let [a, b] = [self.pair.0, self.pair.1].map(|member| role.values[member]);
            if value == a {
                return b;
            }
            if value == b {
                return a;
            }
        }
        value
    }
}

impl Solution {
    /// Reject candidates until there is no objection to the others.
    pub(super) fn find(inference: &Inference<'_>, root: &Root, counts_steps: bool) -> Solution {
        let mut solution = Solution::default();
        for row in 0..inference.model.proctypes.len() {
            let proctype = ProctypeId(row as u32);
            let pids = root.pids(proctype);
            if pids.len() < 2 {
                continue;
            }
            let ends = root.can_end(inference.model, proctype);
            let reason = if usize::from(pids[0]) < root.started {
                Some("its processes are not started together")
            } else if ends && inference.referred[row] {
                Some("one of its processes may have ended when it is referred to")
            } else if ends && !inference.model.proctype(proctype).channels.is_empty() {
                Some("its local channels disappear when its processes end")
            } else if ends && counts_steps {
                Some("its processes may end, which the property may observe")
            } else if pids.len() > super::MOST_MEMBERS {
                Some("it has too many processes")
            } else {
                None
            };
            let number = solution.candidates.len();
            solution.candidates.push(Candidate {
                proctype,
                positions: Vec::new(),
                set: Some(number),
                pids,
            });
            if let Some(reason) = reason {
                let location = inference.model.proctype(proctype).location;
                solution.reject(inference, &[number], location, reason);
            }
        }
        while !solution.finds_no_objection(inference, root) {}
        solution
    }

    /// Do without a set.
    pub(super) fn give_up(
        &mut self,
        inference: &Inference<'_>,
        root: &Root,
        set: usize,
        reason: &str,
    ) {
        let candidates = self.candidates_of(&[set]);
        let first = candidates.first().map(|row| self.candidates[*row].proctype);
        let location = first.map_or(Location::default(), |id| {
            inference.model.proctype(id).location
        });
        self.reject(inference, &candidates, location, reason);
        while !self.finds_no_objection(inference, root) {}
    }

    /// Look for an objection to a candidate, and reject it. Whether there is none.
    fn finds_no_objection(&mut self, inference: &Inference<'_>, root: &Root) -> bool {
        if let Err((candidates, reason)) = self.name(inference, root) {
            let first = &self.candidates[candidates[0]];
            let location = inference.model.proctype(first.proctype).location;
            self.reject(inference, &candidates, location, reason);
            return false;
        }
        let numbers = self.known_numbers(inference, root);
        for used in inference.uses.iter().chain(&numbers) {
            if let Some((sets, reason)) = self.objection(inference, root, used) {
                let candidates = self.candidates_of(&sets);
                let location = self.place_of(inference, used, &candidates);
                self.reject(inference, &candidates, location, reason);
                return false;
            }
        }
        true
    }

    fn candidates_of(&self, sets: &[usize]) -> Vec<usize> {
        let all = self.candidates.iter().enumerate();
        let own = all.filter(|(_, c)| c.set.is_some_and(|set| sets.contains(&set)));
        own.map(|(row, _)| row).collect()
    }

    /// The location of a use; a declaration without one has that of the proctype.
    fn place_of(&self, inference: &Inference<'_>, used: &Use, candidates: &[usize]) -> Location {
        match (used.location == Location::default(), candidates.first()) {
            (true, Some(&first)) => {
                inference
                    .model
                    .proctype(self.candidates[first].proctype)
                    .location
            }
            _ => used.location,
        }
    }

    fn reject(
        &mut self,
        inference: &Inference<'_>,
        candidates: &[usize],
        location: Location,
        reason: &str,
    ) {
        for &row in candidates {
            let candidate = &mut self.candidates[row];
            candidate.set = None;
            self.broken.push(Broken {
                candidate: inference.model.proctype(candidate.proctype).name.clone(),
                proctype: candidate.proctype,
                location,
                reason: reason.to_owned(),
            });
        }
    }

    /// Find the sets, and the roles of their members.
    fn name(&mut self, inference: &Inference<'_>, root: &Root) -> Result<(), Objection> {
        let mut namings = namings::of_processes(&self.candidates, inference, root)?;
        loop {
            self.join(&namings)?;
            self.roles = self.roles_of(&namings);
            let found = namings::of_arrays(&self.candidates, &self.roles, inference, root)?;
            let known = namings.len();
            for naming in found {
                if !namings.contains(&naming) {
                    namings.push(naming);
                }
            }
            if namings.len() == known {
                break;
            }
        }
        for role in &self.roles {
            let objection = |reason| (self.candidates_of(&[role.set]), reason);
            namings::fits_channels(role, inference, root).map_err(objection)?;
        }
        Ok(())
    }

    /// Make sets of candidates whose names are the same; an error names those that do not fit.
    fn join(&mut self, namings: &[Naming]) -> Result<(), Objection> {
        let left = self.candidates.iter_mut().filter(|c| c.set.is_some());
        for (number, candidate) in left.enumerate() {
            candidate.set = Some(number);
            candidate.positions = (0..candidate.pids.len()).collect();
        }
        for (number, a) in namings.iter().enumerate() {
            for b in &namings[number + 1..] {
                if a.sort == b.sort {
                    self.align(a, b)?;
                }
            }
        }
        self.number_sets();
        Ok(())
    }

    fn align(&mut self, a: &Naming, b: &Naming) -> Result<(), Objection> {
        let both = vec![a.candidate, b.candidate];
        if !a.values.iter().any(|value| b.values.contains(value)) {
            return Ok(());
        }
        let mixed = "two sets of identifiers overlap, but do not correspond one to one";
        if a.values.len() != b.values.len() {
            return Err((both, mixed));
        }
        let mut positions = vec![usize::MAX; b.values.len()];
        for (row, value) in b.values.iter().enumerate() {
            let Some(other) = a.values.iter().position(|known| known == value) else {
                return Err((both, mixed));
            };
            positions[row] = self.candidates[a.candidate].positions[other];
        }
        let (first, second) = (&self.candidates[a.candidate], &self.candidates[b.candidate]);
        if first.set == second.set {
            return match second.positions == positions {
                true => Ok(()),
                false => Err((
                    both,
                    "its pids are mixed with an identifier passed as a parameter",
                )),
            };
        }
        let moved = second.set;
        let renamed: Vec<(usize, usize)> = second
            .positions
            .iter()
            .copied()
            .zip(positions.iter().copied())
            .collect();
        let set = first.set;
        for candidate in self.candidates.iter_mut().filter(|c| c.set == moved) {
            candidate.set = set;
            for position in &mut candidate.positions {
                let to = renamed.iter().find(|(from, _)| from == position);
                *position = to.map_or(*position, |(_, to)| *to);
            }
        }
        Ok(())
    }

    /// Number the sets from 0 on.
    fn number_sets(&mut self) {
        let mut seen: Vec<usize> = Vec::new();
        self.sizes.clear();
        for candidate in &mut self.candidates {
            let Some(set) = candidate.set else {
                continue;
            };
            let number = seen
                .iter()
                .position(|known| *known == set)
                .unwrap_or_else(|| {
                    seen.push(set);
                    self.sizes.push(candidate.pids.len());
                    seen.len() - 1
                });
            candidate.set = Some(number);
        }
    }

    fn roles_of(&self, namings: &[Naming]) -> Vec<Role> {
        let mut found: Vec<Role> = Vec::new();
        for naming in namings {
            let candidate = &self.candidates[naming.candidate];
            let Some(set) = candidate.set else {
                continue;
            };
            let mut values = vec![0; naming.values.len()];
            for (row, value) in naming.values.iter().enumerate() {
                values[candidate.positions[row]] = *value;
            }
            let sort = naming.sort;
            let role = Role { sort, set, values };
            if !found.contains(&role) {
                found.push(role);
            }
        }
        found
    }

    /// The numbers of processes that are exchanged with nobody are numbers.
    fn known_numbers(&self, inference: &Inference<'_>, root: &Root) -> Vec<Use> {
        let mut uses = Vec::new();
        for row in 0..inference.model.proctypes.len() {
            let proctype = ProctypeId(row as u32);
            let exchanged = self
                .candidates
                .iter()
                .any(|c| c.proctype == proctype && c.set.is_some());
            if exchanged {
                continue;
            }
            for pid in root.pids(proctype) {
                let whole = WholeExpr {
                    expr: None,
                    proctype,
                    scope: 0,
                    joint: false,
                };
                uses.push(Use {
                    sort: inference.pids[row],
                    constraint: Constraint::Number(i32::from(pid), whole),
                    location: inference.model.proctype(proctype).location,
                });
            }
        }
        uses
    }

    /// The objection of a use to sets.
    fn objection(
        &self,
        inference: &Inference<'_>,
        root: &Root,
        used: &Use,
    ) -> Option<(Vec<usize>, &'static str)> {
        let sort = inference.sorts.root(used.sort);
        let own = || self.roles.iter().filter(move |role| role.sort == sort);
        let sets = |test: &dyn Fn(&Role) -> bool| -> Vec<usize> {
            let objecting = own().filter(|role| test(role));
            objecting.map(|role| role.set).collect()
        };
        let (sets, reason) = match used.constraint {
            Constraint::Breaks(reason) => (sets(&|_| true), reason),
            Constraint::Number(number, whole) => {
                let named = |role: &Role| {
                    role.values.contains(&number) && !self.is_invariant(inference, role.set, whole)
                };
                (sets(&named), "a constant identifies one of its processes")
            }
            Constraint::Range(first, last) => {
                let range = first..=last;
                let missed = |role: &Role| !role.values.iter().all(|v| range.contains(v));
                (sets(&missed), "a loop does not cover all its processes")
            }
            Constraint::Choice(row) => {
                let numbers = &inference.choices[row];
                let some = |role: &Role| {
                    let named = role.values.iter().filter(|v| numbers.contains(v)).count();
                    named > 0 && named < role.values.len()
                };
                (sets(&some), "a choice covers only some of its processes")
            }
            Constraint::Kept(scalar) => {
                let cut = |value: &i32| scalar.truncate(*value) != *value;
                let lost = |role: &Role| role.values.iter().any(cut);
                // What is no name may become one when it is cut.
                let others = match own().next() {
                    Some(_) => inference.given_values(sort, root),
                    None => Vec::new(),
                };
                let made = |role: &Role| {
                    let mut cut = others.iter().filter(|value| cut(value));
                    cut.any(|value| role.values.contains(&scalar.truncate(*value)))
                };
                (
                    sets(&|role| lost(role) || made(role)),
                    "a variable is too narrow for its process identifiers",
                )
            }
            Constraint::Index(count) => {
                let beyond = |v: &i32| !(0..i64::from(count)).contains(&i64::from(*v));
                (
                    sets(&|role| role.values.iter().any(beyond)),
                    "an array is too short for its process identifiers",
                )
            }
        };
        (!sets.is_empty()).then_some((sets, reason))
    }

    /// Whether exchanging members of a set leaves an expression as it is, or all atoms together.
    fn is_invariant(&self, inference: &Inference<'_>, set: usize, whole: WholeExpr) -> bool {
        let normaliser = Normaliser {
            model: inference.model,
            sorts: &inference.sorts,
            leaves: &inference.leaves,
            pids: &inference.pids,
            proctype: whole.proctype,
            scope: &inference.scopes[whole.scope],
        };
        (1..self.sizes[set]).all(|member| {
            let swap = Swap {
                roles: &self.roles,
                set,
                pair: (member - 1, member),
            };
            normaliser.is_invariant(whole, &swap)
                || whole.joint
                    && (normaliser.images(&inference.atoms, &swap))
                        .is_some_and(|images| keeps_labels(&images, &inference.labels))
        })
    }
}

/// Atoms that are looked at together; of more there are too many combinations.
const MOST_ATOMS: usize = 12;

/// Whether labels stay what they are when each atom becomes another.
fn keeps_labels(images: &[usize], labels: &[Vec<(u64, u64)>]) -> bool {
    let admits = |label: &[(u64, u64)], values: u64| {
        let admits = |(yes, no): &(u64, u64)| (yes & !values) | (no & values) == 0;
        label.iter().any(admits)
    };
    let exchanged = |values: u64| {
        let bits = images.iter().enumerate();
        bits.fold(0, |all, (from, to)| all | (values >> from & 1) << to)
    };
    images.len() <= MOST_ATOMS
        && labels.iter().all(|label| {
            (0..1_u64 << images.len())
                .all(|values| admits(label, values) == admits(label, exchanged(values)))
        })
}
