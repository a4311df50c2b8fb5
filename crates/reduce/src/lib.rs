//! Partial-order reduction as a layer over a next-state function.
//!
//! | file | reduction |
//! | --- | --- |
//! | `ample` | one process whose steps are safe |
//! | `cluster` | a cluster of processes whose steps are safe outside it |
//! | `stubborn` | the smallest sets of processes that the present state allows |
//! | `reduced` | a layer that names ample sets: the search sees to it that nobody waits for ever |
//! | `pruned` | a layer that leaves steps out itself: control flow decides who must not wait |
//! | `orbit` | symmetry reduction: representatives of states |
//!
//! All of them name sets of processes such that taking only their steps is enough
//! ([`space::NextState::find_ample`]). They rest on [`model::dependency`], which says who has to do with
//! whom; they differ in which sets they look at, and how closely.
//!
//! # Why a set is ample
//!
//! Say `U` is a set of processes, and no process outside has a transition in store that clashes
//! with one that a process of `U` can take now, or that may make one possible that a process of
//! `U` cannot take now. Then whatever the others do, as long as no process of `U` moves, these have
//! the same steps to take as before, each of which commutes with what was done: condition C1.
//! Some process of `U` must have a step (C0), and no step may be one that the property sees, unless
//! all are taken (C2). That the others are not put off for ever (C3) is up to the search.

mod ample;
mod cluster;
mod memo;
pub mod orbit;
mod pruned;
mod reduced;
mod stubborn;

use model::Model;
use model::dependency::{Correction, Dependency, Observed, Strictness};
use space::{Pid, PidSet, Row};

use cluster::Hierarchy;
use memo::Memo;
pub use pruned::Pruned;
pub use reduced::Reduced;

/// Which sets of processes are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Single processes.
    Ample,
    /// Clusters of processes.
    Cluster,
    /// All that can be told from the present state.
    Stubborn,
}

/// What is to be kept, and how.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// Which sets are looked at.
    pub method: Method,
    /// When listening on a rendezvous channel counts.
    pub correction: Correction,
    /// What the property looks at.
    pub observed: Observed,
    /// Whether it matters which processes can move.
    pub strictness: Strictness,
}

/// Finds ample sets of processes.
pub struct Reducer<'m> {
    model: &'m Model,
    method: Method,
    dependency: Dependency,
    hierarchy: Hierarchy,
    movers: Movers,
    memo: Memo,
    /// The sets found last, with the number of their steps.
    sets: Vec<(u32, PidSet)>,
}

impl<'m> Reducer<'m> {
    /// A reducer for a model, or why there cannot be one.
    pub fn new(model: &'m Model, reduction: &Reduction) -> Result<Reducer<'m>, &'static str> {
        let Reduction {
            correction,
            observed,
            strictness,
            ..
        } = reduction;
        Ok(Reducer {
            model,
            method: reduction.method,
            dependency: Dependency::new(model, observed, *strictness, *correction)?,
            hierarchy: Hierarchy::default(),
            movers: Movers::default(),
            memo: Memo::default(),
            sets: Vec::new(),
        })
    }

    /// The ample sets of a free node with these steps, the best first: those without a step
    /// that breaks a cycle of control flow, if they are to be `lasting`.
    #[inline]
    fn find(&mut self, state: &[u8], rows: &[Row], lasting: bool) -> &[PidSet] {
        if !self.movers.count(rows) || !self.dependency.locate(self.model, state) {
            return &[];
        }
        self.memo.begin();
        self.dependency
            .places()
            .for_each(|place| self.memo.add(place));
        for row in rows.iter().filter(|row| !row.has(Row::OFFER)) {
            self.memo.add(row.transition);
            self.memo.add(u32::from(row.pid));
            if row.has(Row::HANDSHAKE) {
                self.memo.add(row.partner_transition);
                self.memo.add(u32::from(row.partner) << 8);
            }
        }
        if !self.memo.is_known() {
            self.find_anew(rows);
            let sticky = self.dependency.table().sticky();
            let sets = self.sets.iter().map(|(_, set)| *set);
            let learnt = sets.filter(|set| !lasting || set.0 & sticky.0 == 0);
            self.memo.learn().extend(learnt);
        }
        self.memo.sets()
    }

    #[cold]
    fn find_anew(&mut self, rows: &[Row]) {
        self.sets.clear();
        if !self.dependency.look(rows) {
            return;
        }
        let table = self.dependency.table();
        match self.method {
            Method::Ample => ample::find(table, &self.movers, &mut self.sets),
            Method::Cluster => self.hierarchy.find(table, &self.movers, &mut self.sets),
            Method::Stubborn => stubborn::find(table, &self.movers, &mut self.sets),
        }
        // The sets with the highest pids first, as Spin tries its processes: in a chain of processes,
        // what was begun is brought to its end before something new is begun.
        self.sets.reverse();
        self.sets.sort_by_key(|(steps, _)| *steps);
    }
}

/// The processes that can move.
#[derive(Clone, Debug)]
struct Movers {
    pids: PidSet,
    /// How many steps each of them has; of others it says nothing.
    steps: [u8; 64],
    all_steps: u32,
}

impl Default for Movers {
    fn default() -> Movers {
        Movers {
            pids: PidSet::EMPTY,
            steps: [0; 64],
            all_steps: 0,
        }
    }
}

impl Movers {
    /// Count these steps. Whether it matters: not if all are to be taken anyway, because only
    /// one process moves or something goes wrong.
    #[inline]
    fn count(&mut self, rows: &[Row]) -> bool {
        (self.pids, self.all_steps) = (PidSet::EMPTY, 0);
        for row in rows {
            if row.has(Row::OFFER) {
                continue;
            }
            if row.has(Row::VIOLATION | Row::FAULT) || row.pid >= 64 {
                return false;
            }
            let steps = &mut self.steps[usize::from(row.pid)];
            *steps = match self.pids.has(Pid(row.pid)) {
                true => steps.saturating_add(1),
                false => 1,
            };
            self.pids.insert(Pid(row.pid));
            self.all_steps += 1;
        }
        self.pids.0 & self.pids.0.wrapping_sub(1) != 0
    }

    /// The steps of some of them together.
    #[inline]
    fn steps_of(&self, pids: u64) -> u32 {
        let movers = PidSet(pids & self.pids.0).iter();
        movers
            .map(|pid| u32::from(self.steps[usize::from(pid.0)]))
            .sum()
    }

    /// Whether some of them, not all, can move.
    #[inline]
    fn are_some(&self, pids: u64) -> bool {
        let moving = pids & self.pids.0;
        moving != 0 && moving != self.pids.0
    }
}
