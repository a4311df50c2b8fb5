//! Ample sets from a hierarchy of clusters of processes.
//!
//! Follows: [001 ch. 2, Def. 7 to 9]. The hierarchy begins with single processes; each level above
//! joins two clusters of the one below, those that have most to do with each other. Clusters are
//! tried from the smallest up: one is ample if its steps are safe outside it.
//!
//! Where the user names clusters, these are the levels above single processes instead, from the
//! smallest up; whatever they leave open goes together.
//!
//! Departs: statements that cannot be executed count too, see the crate's documentation. Without
//! that, a process of the cluster may be enabled from outside to reach a statement that is dependent with one
//! of the ample set. Where no cluster is found by what its processes may still reach, single
//! transitions are distinguished ([`Table::close`]).

use model::Model;
use model::dependency::Table;
use space::PidSet;

use crate::Movers;

/// A process of a cluster that the user names, or all of a proctype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The proctype, a row of [`model::Model::proctypes`].
    pub kind: usize,
    /// The process, or all.
    pub pid: Option<u8>,
}

/// The clusters of the processes of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    /// Those that the user names.
    named: Vec<Vec<Named>>,
    /// The table, and the clusters from the lowest level up, of all processes that is none.
    serial: Option<usize>,
    clusters: Vec<u64>,
}

impl Hierarchy {
    /// With the clusters that the user names, if any.
    pub(crate) fn new(named: &[Vec<Named>]) -> Hierarchy {
        Hierarchy {
            named: named.to_vec(),
            ..Hierarchy::default()
        }
    }

    /// Add the smallest cluster that is ample.
    pub(crate) fn find(
        &mut self,
        table: &mut Table,
        movers: &Movers,
        sets: &mut Vec<(u32, PidSet)>,
    ) {
        self.join(table);
        // Of sets with as many steps, the one found last is tried first.
        for &cluster in self.clusters.iter().rev() {
            let mut pids = PidSet(cluster).iter().map(|pid| usize::from(pid.0));
            if movers.are_some(cluster)
                && pids.all(|pid| table.dependents(pid, cluster) == 0)
                && cluster & table.visible().0 == 0
            {
                sets.push((movers.steps_of(cluster), PidSet(cluster)));
            }
        }
    }

    /// The same, where the steps of a cluster are told to be safe by single transitions.
    pub(crate) fn find_closely(
        &mut self,
        (model, state): (&Model, &[u8]),
        table: &mut Table,
        movers: &Movers,
        sets: &mut Vec<(u32, PidSet)>,
    ) {
        self.join(table);
        table.note_present();
        for &cluster in self.clusters.iter().rev() {
            if !movers.are_some(cluster) {
                continue;
            }
            let moving = table.close(model, state, cluster, movers.pids.0);
            let pids = PidSet(cluster).iter().map(|pid| usize::from(pid.0));
            pids.for_each(|pid| table.note(pid));
            if moving & !cluster == 0 && cluster & table.visible().0 == 0 {
                sets.push((movers.steps_of(cluster), PidSet(cluster)));
            }
        }
    }

    /// Find the clusters of the processes of a table.
    fn join(&mut self, table: &Table) {
        if self.serial != Some(table.serial()) {
            self.serial = Some(table.serial());
            self.clusters = match self.named.is_empty() {
                true => clusters(table),
                false => named_clusters(table, &self.named),
            };
        }
    }
}

/// Bonds are compared in parts of this.
const SCALE: usize = 1_000;

/// The clusters of two hierarchies, from the smallest up. They differ in what goes first among
/// equals: what is large already, so that one grows from its leaves, or what is small.
fn clusters(table: &Table) -> Vec<u64> {
    let mut all = hierarchy(table, |cluster| i64::from(cluster.count_ones()));
    all.extend(hierarchy(table, |cluster| -i64::from(cluster.count_ones())));
    in_order(all)
}

/// The smallest clusters first, and of these the ones with the highest pids, each once.
fn in_order(mut clusters: Vec<u64>) -> Vec<u64> {
    clusters.sort_by_key(|cluster| (cluster.count_ones(), std::cmp::Reverse(*cluster)));
    clusters.dedup();
    clusters
}

/// Join clusters until none has to do with another: those first whose processes have most to do
/// with each other and least with others. Processes that have to do with everybody, such as one
/// that starts all others, say nothing about who belongs together and stay single.
fn hierarchy(table: &Table, among_equals: impl Fn(u64) -> i64) -> Vec<u64> {
    let singles: Vec<u64> = (0..table.processes()).map(|pid| 1 << pid).collect();
    let is_hub = |one: u64| {
        let mut others = singles.iter().filter(|other| **other != one);
        singles.len() > 2 && others.all(|other| bonds(table, one, *other) > 0)
    };
    let mut level = singles.clone();
    level.retain(|one| !is_hub(*one));
    let everybody = level.iter().fold(0, |all, one| all | one);
    let mut all = singles.clone();
    while level.len() > 2 {
        let pairs = (0..level.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let bound = pairs.filter(|&(a, b)| bonds(table, level[a], level[b]) > 0);
        let closest = bound.max_by_key(|&(a, b)| {
            let joined = level[a] | level[b];
            let inside = bonds(table, level[a], level[b]);
            let outside = bonds(table, joined, everybody & !joined);
            let bond = SCALE * inside / (outside + 1);
            (bond, among_equals(joined), std::cmp::Reverse((a, b)))
        });
        let Some((a, b)) = closest else {
            break;
        };
        let joined = level[a] | level[b];
        level.remove(b);
        level[a] = joined;
        all.push(joined);
    }
    all
}

/// Single processes, and the clusters that the user names.
fn named_clusters(table: &Table, named: &[Vec<Named>]) -> Vec<u64> {
    let count = table.processes();
    let is_one = |pid: usize, one: &Named| {
        table.proctype_of(pid) == one.kind && one.pid.is_none_or(|named| usize::from(named) == pid)
    };
    let cluster = |names: &Vec<Named>| {
        let members = (0..count).filter(|&pid| names.iter().any(|one| is_one(pid, one)));
        members.fold(0, |all, pid| all | 1 << pid)
    };
    let singles = (0..count).map(|pid| 1 << pid);
    in_order(singles.chain(named.iter().map(cluster)).collect())
}

/// How much the processes of two clusters have to do with each other.
fn bonds(table: &Table, a: u64, b: u64) -> usize {
    let pids = |set: u64| PidSet(set).iter().map(|pid| usize::from(pid.0));
    pids(a)
        .flat_map(|a| pids(b).map(move |b| (a, b)))
        .map(|(a, b)| table.dependencies_on(a, b) + table.dependencies_on(b, a))
        .sum()
}
