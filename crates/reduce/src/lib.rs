//! Partial-order reduction as a layer over a next-state function.
//!
//! | file | reduction |
//! | --- | --- |
//! | `ample` | one process whose steps are safe |
//! | `cluster` | a cluster of processes whose steps are safe outside it |
//! | `stubborn` | the smallest sets of processes that the present state allows |
//! | `reduced` | a layer that names ample sets: the search sees to it that nobody waits for ever |
//! | `pruned` | a layer that leaves steps out itself: control flow decides who must not wait |
//! | `memo` | ample sets that were found before |
//! | `check` | reductions against their definition, by brute force: `executed` moves, `order` C1, `delay` C3, `exchange` symmetries |
//! | `orbit` | symmetry reduction: representatives of states, a file for each strategy; `segments` permutations, `refined` colour refinement as in graph canonisation |
//!
//! All of them name sets of processes such that taking only their steps is enough
//! ([`space::AmpleSets`]). They rest on [`model::dependency`], which says which transitions
//! are dependent; they differ in which sets they look at, and how closely.
//!
//! # Why a set is ample
//!
//! Say `U` is a set of processes, and no process outside can reach a transition that is dependent
//! with one that a process of `U` can take now, or that may enable one that a process of
//! `U` cannot take now. Then whatever the others do, as long as no process of `U` moves, these have
//! the same steps to take as before, each of which commutes with what was done: condition C1.
//! Some process of `U` must have a step (C0), and no step may be one that the property sees, unless
//! all are taken (C2). That the others are not put off for ever (C3) is up to the search.

mod ample;
pub mod check;
mod cluster;
mod memo;
pub mod orbit;
mod pruned;
mod reduced;
mod stubborn;

use model::Model;
use model::dependency::{Correction, Dependency, Observed, Obstacle, Strictness};
use space::{AmpleAnswer, AmpleSet, AmpleSets, KeyReads, Look, Pid, PidSet, Row};

use cluster::Hierarchy;
pub use cluster::Named;
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
    /// None: only sleep sets save something.
    Nothing,
}

/// How much time may be spent on a closer look where the first one finds nothing or little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As much as it takes: the fewest states, which may take longer than more of them.
    Thorough,
    /// Little where it is mostly in vain.
    Thrifty,
}

/// What is to be kept, and how.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// Which sets are looked at.
    pub method: Method,
    /// How closely.
    pub effort: Effort,
    /// The clusters that the user names; without any, these are found by themselves.
    pub clusters: Vec<Vec<Named>>,
    /// Whether it is found out who may sleep behind a step.
    pub sleeps: bool,
    /// When listening on a rendezvous channel counts.
    pub correction: Correction,
    /// What the property looks at.
    pub observed: Observed,
    /// Whether it matters which processes can move.
    pub strictness: Strictness,
}

impl Reduction {
    /// Whether steps that the same part of a formula sees are kept in order, instead of being kept out
    /// of ample sets.
    fn keeps_parts_in_order(&self) -> bool {
        self.strictness == Strictness::Fair && !self.observed.parts.is_empty()
    }
}

/// Finds ample sets of processes.
pub struct Reducer<'m> {
    model: &'m Model,
    method: Method,
    effort: Effort,
    dependency: Dependency,
    hierarchy: Hierarchy,
    movers: Movers,
    memo: Memo,
    /// The sets found last, with the number of their steps.
    sets: Vec<(u32, PidSet)>,
    sleeps: bool,
    /// Whether something is known about the node that was looked at last.
    is_told: bool,
}

impl<'m> Reducer<'m> {
    /// A reducer for a model, or what makes all of its steps dependent.
    pub fn new(model: &'m Model, reduction: &Reduction) -> Result<Reducer<'m>, Obstacle> {
        let Reduction {
            correction,
            observed,
            strictness,
            ..
        } = reduction;
        Ok(Reducer {
            model,
            method: reduction.method,
            effort: reduction.effort,
            dependency: {
                let mut dependency = Dependency::new(model, observed, *strictness, *correction)?;
                dependency.keep_uses(reduction.sleeps);
                let looks_closely = matches!(reduction.method, Method::Cluster | Method::Stubborn);
                dependency.keep_relations(looks_closely);
                dependency
            },
            hierarchy: Hierarchy::new(&reduction.clusters),
            movers: Movers::default(),
            memo: Memo::default(),
            sets: Vec::new(),
            sleeps: reduction.sleeps,
            is_told: false,
        })
    }

    /// Find out about the processes of a state, which it will be asked about.
    pub fn locate(&mut self, state: &[u8]) {
        self.dependency.locate(self.model, state);
    }

    /// Whether it says who may sleep behind a step.
    pub fn sleeps(&self) -> bool {
        self.sleeps
    }

    /// Add to the transitions that a search took what it may have left out although nobody else could tell:
    /// see [`Dependency::add_ends`].
    pub fn add_ends(&self, taken: &mut [bool]) {
        self.dependency.add_ends(self.model, taken);
    }

    /// The ample sets of a free node with these steps that a first look finds, the best first. If they are
    /// to be `lasting`, those without a step that breaks a cycle of control flow, and none at all once
    /// too many populations were met.
    #[inline]
    fn find(&mut self, state: &[u8], rows: &[Row], lasting: bool) -> &[PidSet] {
        self.is_told = self.movers.count(rows)
            && match lasting {
                true => self.dependency.locate_early(self.model, state),
                false => self.dependency.locate(self.model, state),
            };
        if !self.is_told {
            return &[];
        }
        self.memo.begin();
        for place in self.dependency.places() {
            self.memo.add(place);
        }
        for &answer in self.dependency.test_guards(self.model, state) {
            self.memo.add(answer);
        }
        for row in rows {
            if row.has(Row::OFFER) {
                // Who may sleep is known by the numbers of rows.
                if self.sleeps {
                    self.memo.add(u32::MAX);
                }
                continue;
            }
            self.ask(row.transition, row.pid, u32::from(row.has(Row::FAULT)));
            if row.has(Row::HANDSHAKE) {
                self.ask(row.partner_transition, row.partner, 2);
            }
        }
        if !self.memo.is_known() {
            let is_known = self.find_anew(rows);
            let sticky = self.dependency.table().sticky();
            let sets = self.sets.iter().map(|(_, set)| *set);
            let sets = sets.filter(|set| !lasting || set.0 & sticky.0 == 0);
            let sleepy = match self.sleeps && is_known {
                true => rows,
                false => &[],
            };
            let sleepers = sleepy
                .iter()
                .map(|row| self.dependency.independent(row, rows));
            self.memo.learn(sets, sleepers);
        }
        self.memo.sets()
    }

    /// The answer depends on this step of a process, too.
    #[inline]
    fn ask(&mut self, transition: u32, pid: u8, how: u32) {
        let who = how << 6 | u32::from(pid);
        // Mostly both fit into one number.
        if self.model.transitions.len() > 1 << 20 {
            self.memo.add(who);
            self.memo.add(transition);
        } else {
            self.memo.add(transition << 8 | who);
        }
    }

    /// Whether single transitions are told apart by a closer look.
    fn can_look_closely(&mut self) -> bool {
        self.is_told && self.dependency.table().knows_relations()
    }

    /// Put the sets of a closer look before the best one of the first, which has so many steps, if they
    /// are better.
    fn improve(&mut self, state: &[u8], rows: &[Row], fewest: u32, answer: &mut AmpleAnswer) {
        self.look_closely(state, rows);
        let is_better = (self.sets.first()).is_some_and(|(steps, _)| *steps < fewest);
        if is_better {
            answer.sets.truncate(1);
            let closer = self.sets.iter().map(|&(steps, pids)| AmpleSet {
                pids,
                left_out: self.movers.all_steps - steps,
                gain: fewest.saturating_sub(steps),
            });
            answer.sets.splice(0..0, closer);
        }
    }

    #[cold]
    fn look_closely(&mut self, state: &[u8], rows: &[Row]) {
        self.sets.clear();
        if self.dependency.look(rows) {
            let table = self.dependency.table();
            let node = (self.model, state);
            match self.method {
                Method::Cluster => {
                    (self.hierarchy).find_closely(node, table, &self.movers, &mut self.sets);
                }
                _ => stubborn::find_closely(node, table, &self.movers, &mut self.sets),
            }
            self.sort();
        }
    }

    /// Who may sleep behind the step of a row of the node that was asked about last.
    #[inline]
    fn may_sleep(&self, row: usize) -> PidSet {
        let sleepers = match self.is_told {
            true => self.memo.sleepers(),
            false => &[],
        };
        sleepers.get(row).copied().unwrap_or(PidSet::EMPTY)
    }

    /// Look for ample sets. Whether anything is known about the node.
    #[cold]
    fn find_anew(&mut self, rows: &[Row]) -> bool {
        self.sets.clear();
        if !self.dependency.look(rows) {
            return false;
        }
        let table = self.dependency.table();
        match self.method {
            Method::Ample => ample::find(table, &self.movers, &mut self.sets),
            Method::Cluster => self.hierarchy.find(table, &self.movers, &mut self.sets),
            Method::Stubborn => stubborn::find(table, &self.movers, &mut self.sets),
            Method::Nothing => {}
        }
        self.sort();
        true
    }

    /// Leave out sets that are none, and put the best first.
    fn sort(&mut self) {
        // The sets with the highest pids first, as Spin tries its processes: in a chain of processes,
        // what was begun is brought to its end before something new is begun. But processes that
        // nobody has to do with any more come before all: whenever they move, the rest is the same.
        // And who would leave comes last: until then, those who start others need not wait. Where there is
        // no end to that, those who meet come later, too, which leaves a little more out by experience.
        let table = self.dependency.table();
        let (busy, leaving) = (table.busy().0, table.leaving().0);
        let meeting = match self.dependency.starts_unboundedly() {
            true => self.movers.meeting.0,
            false => 0,
        };
        let faulty = self.movers.faulty.0;
        self.sets.retain(|(_, set)| set.0 & faulty == 0);
        self.sets.reverse();
        self.sets.sort_by_key(|(steps, set)| {
            let has = |pids: u64| set.0 & pids != 0;
            (has(busy), *steps, has(meeting), has(leaving))
        });
    }
}

impl AmpleSets for Reducer<'_> {
    fn ample_key(
        &mut self,
        state: &[u8],
        pid: Pid,
        rows: &[Row],
        key: &mut Vec<u32>,
    ) -> Option<KeyReads> {
        let steps = || rows.iter().filter(|row| !row.has(Row::OFFER));
        key.push(steps().count() as u32);
        for row in steps() {
            let flags = u32::from(row.flags & (Row::FAULT | Row::HANDSHAKE | Row::STEPLESS));
            key.extend([row.transition, flags]);
            if row.has(Row::HANDSHAKE) {
                key.extend([row.partner_transition, u32::from(row.partner)]);
            }
        }
        (self.dependency).describe(self.model, state, pid, rows, key)
    }

    fn ample_sets(&mut self, state: &[u8], rows: &[Row], look: Look, answer: &mut AmpleAnswer) {
        answer.sets.clear();
        self.find(state, rows, false);
        let sets = match self.is_told {
            true => self.memo.sets(),
            false => &[],
        };
        answer.sets.extend(sets.iter().map(|&pids| AmpleSet {
            pids,
            left_out: self.movers.all_steps - self.movers.steps_of(pids.0),
            gain: 0,
        }));
        let best = answer.sets.first();
        let fewest = self.movers.all_steps - best.map_or(0, |best| best.left_out);
        answer.may_improve = fewest > 1 && self.can_look_closely();
        if answer.may_improve && look == Look::Close {
            self.improve(state, rows, fewest, answer);
        }
    }

    fn is_thorough(&self) -> bool {
        self.effort == Effort::Thorough
    }

    fn analysed(&self) -> u64 {
        self.dependency.made() as u64
    }
}

/// The processes that can move.
#[derive(Clone, Debug)]
struct Movers {
    pids: PidSet,
    /// How many steps each of them has; of others it says nothing.
    steps: [u8; 64],
    all_steps: u32,
    /// Those with a step that cannot be completed: behind it nobody else has a turn.
    faulty: PidSet,
    /// Those with a step that another process takes part in.
    meeting: PidSet,
}

impl Default for Movers {
    fn default() -> Movers {
        Movers {
            pids: PidSet::EMPTY,
            steps: [0; 64],
            all_steps: 0,
            faulty: PidSet::EMPTY,
            meeting: PidSet::EMPTY,
        }
    }
}

impl Movers {
    /// Count these steps. Whether it matters: not if all are to be taken anyway, because only
    /// one process moves or somebody fails before a step.
    #[inline]
    fn count(&mut self, rows: &[Row]) -> bool {
        (self.pids, self.all_steps) = (PidSet::EMPTY, 0);
        (self.faulty, self.meeting) = (PidSet::EMPTY, PidSet::EMPTY);
        for row in rows {
            if row.has(Row::OFFER) {
                continue;
            }
            if row.has(Row::STEPLESS) || row.pid >= 64 {
                return false;
            }
            if row.has(Row::FAULT) {
                self.faulty.insert(Pid(row.pid));
            }
            if row.has(Row::HANDSHAKE) {
                self.meeting.insert(Pid(row.pid));
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
