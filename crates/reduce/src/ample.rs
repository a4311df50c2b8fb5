//! Ample sets of one process.
//!
//! Follows: [001 ch. 2, Def. 5 and 6], Holzmann and Peled's reduction as Spin has it: a process
//! all of whose statements at its present place are safe, whatever the others may still do.
//! A statement that can be executed is safe if it is dependent with nothing that another process has;
//! one that cannot, if nothing makes it possible. So sends and receives are safe in part of the
//! states if nobody else does the same to the channel, as in Spin with `xs` and `xr`.
//!
//! Departs: the statements and the processes are told apart as closely as [`model::dependency`]
//! can, where Spin asks whether a statement touches anything global.

use model::dependency::Table;
use space::PidSet;

use crate::Movers;

/// Add the processes that are ample on their own.
pub(crate) fn find(table: &mut Table, movers: &Movers, sets: &mut Vec<(u32, PidSet)>) {
    for pid in movers.pids.iter() {
        let (only, row) = (PidSet::only(pid), usize::from(pid.0));
        if table.dependents(row, only.0) == 0 && !table.visible().has(pid) {
            sets.push((u32::from(movers.steps[row]), only));
        }
    }
}
