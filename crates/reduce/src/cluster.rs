//! Ample sets from a hierarchy of clusters of processes.
//!
//! Follows: [001 ch. 2, Def. 7 to 9]. The hierarchy begins with single processes; each level above
//! joins two clusters of the one below, those that have most to do with each other. Clusters are
//! tried from the smallest up: one is ample if its steps are safe outside it.
//!
//! Departs: statements that cannot be executed count too, see the crate's documentation. Without
//! that, a process of the cluster may be helped from outside to a statement that clashes with one
//! of the ample set.

use model::dependency::Table;
use space::PidSet;

use crate::Movers;

/// The clusters of the processes of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    /// The table, and the clusters from the lowest level up, of all processes that is none.
    serial: Option<usize>,
    clusters: Vec<u64>,
}

impl Hierarchy {
    /// Add the smallest cluster that is ample.
    pub(crate) fn find(
        &mut self,
        table: &mut Table,
        movers: &Movers,
        sets: &mut Vec<(u32, PidSet)>,
    ) {
        if self.serial != Some(table.serial()) {
            self.serial = Some(table.serial());
            self.clusters = clusters(table);
        }
        for &cluster in &self.clusters {
            let mut pids = PidSet(cluster).iter().map(|pid| usize::from(pid.0));
            if movers.are_some(cluster)
                && pids.all(|pid| table.meet(pid) & !cluster == 0)
                && cluster & table.visible().0 == 0
            {
                sets.push((movers.steps_of(cluster), PidSet(cluster)));
            }
        }
    }
}

/// Bonds are compared in parts of this.
const SCALE: usize = 1_000;

/// Join clusters until there is but one, which is left out: those first whose processes have most
/// to do with each other and least with others.
fn clusters(table: &Table) -> Vec<u64> {
    let count = table.processes();
    let mut level: Vec<u64> = (0..count).map(|pid| 1 << pid).collect();
    let everybody = level.iter().fold(0, |all, one| all | one);
    let mut all = level.clone();
    while level.len() > 2 {
        let pairs = (0..level.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
        let closest = pairs.max_by_key(|&(a, b)| {
            let joined = level[a] | level[b];
            let inside = bonds(table, level[a], level[b]);
            let outside = bonds(table, joined, everybody & !joined);
            (SCALE * inside / (outside + 1), std::cmp::Reverse((a, b)))
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

/// How much the processes of two clusters have to do with each other.
fn bonds(table: &Table, a: u64, b: u64) -> usize {
    let pids = |set: u64| PidSet(set).iter().map(|pid| usize::from(pid.0));
    pids(a)
        .flat_map(|a| pids(b).map(move |b| (a, b)))
        .map(|(a, b)| table.bonds(a, b) + table.bonds(b, a))
        .sum()
}
