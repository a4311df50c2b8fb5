//! From cycles of representatives to cycles of the model.
//!
//! Follows: [001 ch. 7, Lemma 5 and Lemma 7] and the proof of [000, Theorem 2]: a cycle that leads
//! back to a state only up to names is repeated with the names that processes have come back with,
//! until it ends where a repetition began.
//!
//! Departs: the repetitions are executed, so what nobody reads any more is as the model has it. A loop
//! over all processes goes through them in the order of their numbers, whatever they are called. So
//! an atomic sequence is not repeated step by step: one is looked for that leads to the same state,
//! up to names, and in which the same processes take part. Who takes part in a handshake counts for
//! fairness, though the state behind it may be the same with another one.

use std::collections::BTreeSet;

use model::symmetry::{Action, SetId};
use model::{Interp, Model};
use reduce::orbit::Orbits;
use search::Rounds;
use space::{Control, Expansion, NextState, Pid, Representative, Step, Trace, TransitionId};

/// More nodes of one atomic sequence are not looked at.
const MOST_NODES: usize = 1 << 20;

/// A node of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    state: Vec<u8>,
    control: Control,
}

/// Executes ways under other names.
struct Walker<'m> {
    interp: Interp<'m>,
    orbits: Orbits<'m>,
    node: Node,
    found: Expansion,
    trace: Trace,
}

/// Who takes part in a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Movers {
    /// Who begins it.
    first: Option<Pid>,
    all: BTreeSet<Pid>,
}

impl Movers {
    fn of(steps: &[Step]) -> Movers {
        let mut movers = Movers::default();
        steps.iter().for_each(|step| movers.add(*step, |pid| pid));
        movers
    }

    /// Add those who make a step, under other names.
    fn add(&mut self, step: Step, name: impl Fn(Pid) -> Pid) {
        let pid = name(step.pid);
        self.first.get_or_insert(pid);
        let partner = step.partner.map(|(partner, _)| name(partner));
        self.all.extend([Some(pid), partner].into_iter().flatten());
    }
}

/// The state that ways begin in, and what its processes are called in its representative.
struct Seed {
    node: Node,
    names: Vec<Pid>,
}

/// Repeat the cycle of a trace until it closes. None if it cannot be executed.
pub fn unroll(
    model: &Model,
    orbits: Orbits<'_>,
    trace: &Trace,
    rounds: Option<&Rounds>,
) -> Option<Trace> {
    let start = trace.cycle?;
    let mut interp = Interp::new(model);
    let state = interp.initial().ok()?;
    let mut walker = Walker {
        interp,
        orbits,
        node: Node {
            state,
            control: Control::Free,
        },
        found: Expansion::default(),
        trace: Trace::default(),
    };
    for &step in &trace.steps[..start] {
        let node = walker.node.clone();
        walker.node = walker.behind(node, step)?;
        walker.trace.steps.push(step);
    }
    walker.node = walker.after_control_loss(walker.node.clone());
    let seed = Seed {
        node: walker.node.clone(),
        names: walker.names(),
    };
    let hidden = model.layout.hidden as usize;
    let mut begun: Vec<(Vec<u8>, usize)> = Vec::new();
    loop {
        let here = walker.node.state[hidden..].to_vec();
        if let Some((_, at)) = begun.iter().find(|(state, _)| *state == here) {
            walker.trace.cycle = Some(*at);
            return Some(walker.trace);
        }
        begun.push((here, walker.trace.steps.len()));
        match rounds {
            None => walker.repeat(&seed, &trace.steps[start..])?,
            Some(rounds) => walker.go_round(&seed, rounds)?,
        }
    }
}

impl Walker<'_> {
    /// The node behind a step of another one.
    fn behind(&mut self, node: Node, step: Step) -> Option<Node> {
        let mut node = node;
        if step.transition == TransitionId::STUTTER {
            return Some(node);
        }
        loop {
            (self.interp).expand(&node.state, node.control, &mut self.found);
            let mut rows = self.found.rows.iter();
            let row = rows.find(|row| row.step() == Some(step) && row.has_successor());
            match (row, node.control) {
                (Some(row), _) => {
                    return Some(Node {
                        state: self.found.vector(row).to_vec(),
                        control: row.control(),
                    });
                }
                (None, Control::Free) => return None,
                (None, Control::Exclusive(_)) => node.control = Control::Free,
            }
        }
    }

    /// A node as a state, if control is lost there.
    fn after_control_loss(&mut self, node: Node) -> Node {
        if node.control == Control::Free {
            return node;
        }
        (self.interp).expand(&node.state, node.control, &mut self.found);
        Node {
            control: match self.found.moved {
                true => node.control,
                false => Control::Free,
            },
            ..node
        }
    }

    fn hidden(&self) -> usize {
        self.interp.model().layout.hidden as usize
    }

    /// What each process of the present state is called in its representative.
    fn names(&mut self) -> Vec<Pid> {
        let mut vector = self.node.state[self.hidden()..].to_vec();
        self.orbits.represent(&mut vector);
        let all = (0..=u8::MAX).map(Pid);
        all.map(|pid| self.orbits.renamed(pid)).collect()
    }

    /// By name in the seed: what the process is called now, where the state is that of the seed but
    /// for names.
    fn renaming(&mut self, seed: &Seed) -> Vec<Pid> {
        self.names();
        let names = seed.names.iter();
        names.map(|pid| self.orbits.original(*pid)).collect()
    }

    /// Go a way that leads from the seed back to it, under the names of now.
    fn repeat(&mut self, seed: &Seed, way: &[Step]) -> Option<()> {
        let now = self.renaming(seed);
        let mut node = seed.node.clone();
        let mut movers = Movers::default();
        for &step in way {
            if step.transition == TransitionId::STUTTER {
                self.trace.steps.push(step);
                continue;
            }
            movers.add(step, |pid| now[usize::from(pid.0)]);
            node = self.behind(node, step)?;
            node = self.after_control_loss(node);
            if node.control == Control::Free {
                let wanted = renamed(self.orbits.action(), &now, &node.state[self.hidden()..]);
                self.move_to(&std::mem::take(&mut movers), &wanted)?;
            }
        }
        Some(())
    }

    /// Make the move of processes that leads to a state, given without what nobody reads.
    fn move_to(&mut self, movers: &Movers, wanted: &[u8]) -> Option<()> {
        let mut open = vec![(self.node.clone(), Vec::new())];
        for _ in 0..MOST_NODES {
            let (node, steps) = open.pop()?;
            (self.interp).expand(&node.state, node.control, &mut self.found);
            let rows: Vec<_> = (self.found.rows.iter())
                .filter(|row| row.has_successor())
                .filter(|row| !steps.is_empty() || movers.first == Some(Pid(row.pid)))
                .filter_map(|row| Some((*row, row.step()?)))
                .collect();
            let nodes: Vec<_> = (rows.into_iter())
                .map(|(row, step)| {
                    let state = self.found.vector(&row).to_vec();
                    let control = row.control();
                    (Node { state, control }, step)
                })
                .collect();
            for (node, step) in nodes.into_iter().rev() {
                let node = self.after_control_loss(node);
                let steps: Vec<Step> = steps.iter().copied().chain([step]).collect();
                if node.control != Control::Free {
                    open.push((node, steps));
                    continue;
                }
                let mut vector = node.state[self.hidden()..].to_vec();
                self.orbits.action().scrub(&mut vector);
                if vector == wanted && Movers::of(&steps) == *movers {
                    self.trace.steps.extend(steps);
                    self.node = node;
                    return Some(());
                }
            }
        }
        None
    }

    /// Meet all conditions once: those of the sets, and for each process the one of who it is now.
    fn go_round(&mut self, seed: &Seed, rounds: &Rounds) -> Option<()> {
        for way in &rounds.sets {
            self.repeat(seed, way)?;
        }
        for pid in 0..rounds.processes.len() {
            let now = self.renaming(seed);
            let who = now.iter().position(|name| usize::from(name.0) == pid)?;
            self.repeat(seed, &rounds.processes[who])?;
        }
        Some(())
    }
}

/// A state under other names, without what nobody reads.
fn renamed(action: &Action, now: &[Pid], state: &[u8]) -> Vec<u8> {
    let mut vector = state.to_vec();
    action.scrub(&mut vector);
    for set in 0..action.sets() {
        let mut places = places(action, set, now);
        for place in 0..places.len() {
            while places[place] != place {
                let other = places[place];
                action.swap(set, place, other, &mut vector);
                places.swap(place, other);
            }
        }
    }
    vector
}

/// By member of a set: where it goes.
fn places(action: &Action, set: SetId, now: &[Pid]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..action.size(set)).collect();
    for pid in 0..action.process_count() as u8 {
        let member = |pid: u8| action.member_of(pid).filter(|(m, _)| m.set == set);
        if let (Some((from, _)), Some((to, _))) = (member(pid), member(now[usize::from(pid)].0)) {
            places[usize::from(from.position)] = usize::from(to.position);
        }
    }
    places
}
