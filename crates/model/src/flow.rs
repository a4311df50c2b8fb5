//! Control flow, indexed for analyses that walk it backwards or look for its cycles.

use space::TransitionId;

use crate::ids::ControlId;
use crate::model::{ControlState, Model};

/// An edge of a control-flow graph that leads to some control state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    /// Where the edge begins.
    pub(crate) source: ControlId,
    /// What is executed.
    pub(crate) transition: TransitionId,
}

/// The edges of a proctype, by their targets.
#[derive(Clone, Debug)]
pub(crate) struct Backwards {
    firsts: Vec<u32>,
    edges: Vec<Incoming>,
}

impl Backwards {
    /// The edges between these control states.
    pub(crate) fn new(model: &Model, states: &[ControlState]) -> Backwards {
        let edges = || {
            (states.iter().enumerate()).flat_map(|(source, state)| {
                (state.options.iter()).map(move |option| Incoming {
                    source: ControlId(source as u32),
                    transition: option.transition,
                })
            })
        };
        let target = |edge: &Incoming| model.transition(edge.transition).target.index();
        let mut firsts = vec![0; states.len() + 1];
        for edge in edges() {
            firsts[target(&edge) + 1] += 1;
        }
        for row in 1..firsts.len() {
            firsts[row] += firsts[row - 1];
        }
        let mut next = firsts.clone();
        let nothing = Incoming {
            source: ControlId(0),
            transition: TransitionId(0),
        };
        let mut sorted = vec![nothing; firsts[states.len()] as usize];
        for edge in edges() {
            let place = &mut next[target(&edge)];
            sorted[*place as usize] = edge;
            *place += 1;
        }
        Backwards {
            firsts,
            edges: sorted,
        }
    }

    /// The edges that lead to a control state.
    pub(crate) fn edges_to(&self, control: ControlId) -> &[Incoming] {
        let row = control.index();
        &self.edges[self.firsts[row] as usize..self.firsts[row + 1] as usize]
    }

    /// Add to a set of control states those from which edges that pass a test lead to it. No edge
    /// leads on from the end of the process.
    pub(crate) fn close(&self, near: &mut [bool], follows: impl Fn(TransitionId) -> bool) {
        let mut open: Vec<ControlId> = (1..near.len() as u32)
            .map(ControlId)
            .filter(|control| near[control.index()])
            .collect();
        while let Some(control) = open.pop() {
            space::cancel::poll();
            for edge in self.edges_to(control) {
                if !near[edge.source.index()] && follows(edge.transition) {
                    near[edge.source.index()] = true;
                    if edge.source != ControlId(0) {
                        open.push(edge.source);
                    }
                }
            }
        }
    }
}

/// For each control state the number of its strongly connected component, where only edges that
/// pass a test count. Components are numbered from the ends on: an edge leads to a number that
/// is not higher. The end of the process is a component of its own.
///
/// Follows: [Tarjan 1972]. Departs: the stack is explicit.
pub(crate) fn components(
    model: &Model,
    states: &[ControlState],
    follows: impl Fn(TransitionId) -> bool,
) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut component = vec![NEW; states.len()];
    let mut low = vec![NEW; states.len()];
    let (mut order, mut found) = (0, 0);
    let (mut stack, mut path): (Vec<usize>, Vec<(usize, u32, usize)>) = (Vec::new(), Vec::new());
    for root in 0..states.len() {
        if low[root] != NEW {
            continue;
        }
        path.push((root, order, 0));
        while let Some((control, number, option)) = path.last_mut() {
            let (control, number) = (*control, *number);
            if *option == 0 && low[control] == NEW {
                space::cancel::poll();
                low[control] = number;
                order = number + 1;
                stack.push(control);
            }
            // Nothing is executed behind the end.
            let options = if control == 0 {
                &[][..]
            } else {
                &states[control].options
            };
            if let Some(entry) = options.get(*option) {
                *option += 1;
                let target = model.transition(entry.transition).target.index();
                if !follows(entry.transition) {
                    continue;
                }
                if low[target] == NEW {
                    path.push((target, order, 0));
                } else if component[target] == NEW {
                    low[control] = low[control].min(low[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, ..)) = path.last() {
                low[*parent] = low[*parent].min(low[control]);
            }
            if low[control] == number {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == control {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// For each transition whether its process may come to it again.
pub(crate) fn repeated(model: &Model) -> Vec<bool> {
    let mut found = vec![false; model.transitions.len()];
    for proctype in &model.proctypes {
        let component = components(model, &proctype.states, |_| true);
        for (source, state) in proctype.states.iter().enumerate().skip(1) {
            for option in &state.options {
                let target = model.transition(option.transition).target.index();
                // Its own edge leads from one to the other, so both are on a cycle or not.
                found[option.transition.0 as usize] |= component[source] == component[target];
            }
        }
    }
    found
}

/// For each transition, the control states that it starts from.
pub(crate) fn sources(model: &Model) -> Vec<Vec<ControlId>> {
    let mut sources = vec![Vec::new(); model.transitions.len()];
    for proctype in &model.proctypes {
        for (row, state) in proctype.states.iter().enumerate() {
            for option in &state.options {
                sources[option.transition.0 as usize].push(ControlId(row as u32));
            }
        }
    }
    sources
}
