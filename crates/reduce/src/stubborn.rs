//! Ample sets of several processes, told from the present state.
//!
//! Follows: in [`find`], the closure of [002 §4.2] (`proc ample`), from one process on: a process that has to
//! do with one in the set joins it. Instead of giving up where a transition that joins cannot
//! be taken, whoever may make it possible joins too, as in stubborn sets ([Valmari 1989]).
//!
//! Departs: a process joins or stays outside as a whole. Its transitions at the places that it
//! may still come to stand for those that a stubborn set would reach one by one, since before one
//! of these it has to take one of those it has now. [`find_closely`] does reach them one by one
//! ([`Table::close`]), which leaves out more, and takes longer, so that it comes second.

use model::Model;
use model::dependency::Table;
use space::PidSet;

use crate::Movers;

/// Add the closures of single processes that leave others out.
pub(crate) fn find(table: &mut Table, movers: &Movers, sets: &mut Vec<(u32, PidSet)>) {
    for start in movers.pids.iter() {
        let set = close(table, PidSet::only(start).0, movers.pids.0);
        add(set, table, movers, sets);
    }
}

/// Add the processes that move in the closures of single processes by transitions.
pub(crate) fn find_closely(
    (model, state): (&Model, &[u8]),
    table: &mut Table,
    movers: &Movers,
    sets: &mut Vec<(u32, PidSet)>,
) {
    table.note_present();
    for start in movers.pids.iter() {
        let start = PidSet::only(start).0;
        let set = table.close(model, state, start, movers.pids.0);
        PidSet(set)
            .iter()
            .for_each(|pid| table.note(usize::from(pid.0)));
        add(set, table, movers, sets);
    }
}

/// Add a set that leaves others out and is not seen, once.
fn add(set: u64, table: &Table, movers: &Movers, sets: &mut Vec<(u32, PidSet)>) {
    let is_ample = movers.are_some(set) && set & table.visible().0 == 0;
    if is_ample && !sets.iter().any(|(_, known)| known.0 == set) {
        sets.push((movers.steps_of(set), PidSet(set)));
    }
}

/// Add to a set of processes all that they have to do with, until all who can move are in it.
fn close(table: &mut Table, start: u64, movers: u64) -> u64 {
    let (mut set, mut open) = (start, start);
    while open != 0 && set & movers != movers {
        let pid = open.trailing_zeros() as usize;
        let new = table.dependents(pid, set);
        set |= new;
        open = open & (open - 1) | new;
    }
    set
}
