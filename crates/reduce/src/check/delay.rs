//! C3 by brute force: nobody is put off for ever.

use space::{Pid, PidSet};

use super::executed::Node;

/// A state of the reduced state space.
#[derive(Clone, Debug)]
pub(super) struct Visited {
    pub(super) node: Node,
    /// Whose steps are taken; all of them if this is nothing.
    pub(super) set: Option<PidSet>,
    /// Who can move.
    pub(super) mobile: PidSet,
    /// The states that are gone to, by their places in the list.
    pub(super) successors: Vec<usize>,
}

impl Visited {
    fn takes(&self, pid: Pid) -> bool {
        self.mobile.has(pid) && self.set.is_none_or(|set| set.has(pid))
    }

    fn leaves_out(&self, pid: Pid) -> bool {
        self.mobile.has(pid) && !self.takes(pid)
    }
}

/// A state that leaves out a process that no state behind it lets move, and the process. What
/// searches for safety promise.
pub(super) fn never_moves(states: &[Visited]) -> Option<(usize, Pid)> {
    let predecessors = predecessors(states);
    let everybody = states.iter().fold(0, |all, state| all | state.mobile.0);
    for pid in PidSet(everybody).iter() {
        let mut reaches: Vec<bool> = states.iter().map(|state| state.takes(pid)).collect();
        let mut open: Vec<usize> = (0..states.len()).filter(|&at| reaches[at]).collect();
        while let Some(at) = open.pop() {
            for &before in &predecessors[at] {
                if !reaches[before] {
                    reaches[before] = true;
                    open.push(before);
                }
            }
        }
        let waits = |&at: &usize| states[at].leaves_out(pid) && !reaches[at];
        if let Some(at) = (0..states.len()).find(waits) {
            return Some((at, pid));
        }
    }
    None
}

/// A state of a cycle whose states all leave something out. What is promised where no search sees
/// to it.
pub(super) fn never_all(states: &[Visited]) -> Option<usize> {
    let predecessors = predecessors(states);
    let is_part = |at: usize| states[at].set.is_some();
    let mut left: Vec<usize> = (states.iter())
        .map(|state| (state.successors.iter().filter(|&&at| is_part(at))).count())
        .collect();
    // States without a way to go on among these are on no cycle, and need not be considered.
    let mut open: Vec<usize> = (0..states.len())
        .filter(|&at| is_part(at) && left[at] == 0)
        .collect();
    while let Some(at) = open.pop() {
        for &before in predecessors[at].iter().filter(|&&at| is_part(at)) {
            left[before] -= 1;
            if left[before] == 0 {
                open.push(before);
            }
        }
    }
    (0..states.len()).find(|&at| is_part(at) && left[at] > 0)
}

fn predecessors(states: &[Visited]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); states.len()];
    for (at, state) in states.iter().enumerate() {
        state
            .successors
            .iter()
            .for_each(|&next| found[next].push(at));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(set: Option<u64>, mobile: u64, successors: &[usize]) -> Visited {
        Visited {
            node: Node(0),
            set: set.map(PidSet),
            mobile: PidSet(mobile),
            successors: successors.to_vec(),
        }
    }

    #[test]
    fn a_loop_that_leaves_somebody_out() {
        let endless = [state(Some(1), 3, &[1]), state(Some(1), 3, &[0])];
        assert_eq!(never_moves(&endless), Some((0, Pid(1))));
        assert_eq!(never_all(&endless), Some(0));
    }

    #[test]
    fn a_loop_in_which_each_has_its_turn() {
        let fair = [state(Some(1), 3, &[1]), state(Some(2), 3, &[0])];
        assert_eq!(never_moves(&fair), None);
        assert_eq!(never_all(&fair), Some(0));
    }

    #[test]
    fn a_loop_with_a_state_that_takes_all() {
        let states = [
            state(Some(1), 3, &[1]),
            state(None, 3, &[0, 2]),
            state(Some(1), 1, &[]),
        ];
        assert_eq!(never_moves(&states), None);
        assert_eq!(never_all(&states), None);
    }
}
