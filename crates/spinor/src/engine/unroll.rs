//! From cycles of representatives to cycles of the model.
//!
//! Follows: [001 ch. 7, Lemma 5 and Lemma 7] and the proof of [000, Theorem 2]: a cycle that leads
//! back to a state only up to names is repeated with the names that processes have come back with,
//! until it ends where a repetition began.
//!
//! Departs: the repetitions are executed, so what nobody reads any more is as the model has it.

use model::{Interp, Model};
use reduce::orbit::Orbits;
use search::Rounds;
use space::{Control, Expansion, NextState, Pid, Representative, Step, Trace, TransitionId};

/// Executes steps under other names.
struct Walker<'m> {
    interp: Interp<'m>,
    orbits: Orbits<'m>,
    state: Vec<u8>,
    control: Control,
    found: Expansion,
    trace: Trace,
}

/// Repeat the cycle of a trace until it closes. None if it cannot be executed.
pub fn unroll(
    model: &Model,
    orbits: Orbits<'_>,
    trace: &Trace,
    rounds: Option<&Rounds>,
) -> Option<Trace> {
    let start = trace.cycle?;
    let mut walker = Walker {
        interp: Interp::new(model),
        orbits,
        state: Vec::new(),
        control: Control::Free,
        found: Expansion::default(),
        trace: Trace::default(),
    };
    walker.state = walker.interp.initial().ok()?;
    for &step in &trace.steps[..start] {
        walker.take(step)?;
    }
    let seed = walker.names();
    let cycle = &trace.steps[start..];
    let mut begun: Vec<(Vec<u8>, usize)> = Vec::new();
    loop {
        let here = walker.state[model.layout.hidden as usize..].to_vec();
        if let Some((_, at)) = begun.iter().find(|(state, _)| *state == here) {
            walker.trace.cycle = Some(*at);
            return Some(walker.trace);
        }
        begun.push((here, walker.trace.steps.len()));
        match rounds {
            None => walker.repeat(&seed, cycle)?,
            Some(rounds) => walker.go_round(&seed, rounds)?,
        }
    }
}

impl Walker<'_> {
    /// Execute a step. An exclusive node without a step loses control.
    fn take(&mut self, step: Step) -> Option<()> {
        self.trace.steps.push(step);
        if step.transition == TransitionId::STUTTER {
            self.control = Control::Free;
            return Some(());
        }
        loop {
            (self.interp).expand(&self.state, self.control, &mut self.found);
            let mut rows = self.found.rows.iter();
            let row = rows.find(|row| row.step() == Some(step) && row.has_successor());
            match (row, self.control) {
                (Some(row), _) => {
                    self.state = self.found.vector(row).to_vec();
                    self.control = row.control();
                    return Some(());
                }
                (None, Control::Free) => return None,
                (None, Control::Exclusive(_)) => self.control = Control::Free,
            }
        }
    }

    /// What each process of the state is called in its representative.
    fn names(&mut self) -> Vec<Pid> {
        let hidden = self.interp.model().layout.hidden as usize;
        let mut vector = self.state[hidden..].to_vec();
        self.orbits.represent(&mut vector);
        (0..=u8::MAX)
            .map(|pid| self.orbits.renamed(Pid(pid)))
            .collect()
    }

    /// By name in the seed: what the process is called now, where the state is that of the seed but
    /// for names.
    fn renaming(&mut self, seed: &[Pid]) -> Vec<Pid> {
        self.names();
        seed.iter().map(|pid| self.orbits.original(*pid)).collect()
    }

    /// Execute the steps that lead from the seed back to it, under the names of now.
    fn repeat(&mut self, seed: &[Pid], way: &[Step]) -> Option<()> {
        let now = self.renaming(seed);
        let name = |pid: Pid| now[usize::from(pid.0)];
        way.iter().try_for_each(|step| {
            self.take(Step {
                pid: name(step.pid),
                transition: step.transition,
                partner: step
                    .partner
                    .map(|(pid, transition)| (name(pid), transition)),
            })
        })
    }

    /// Meet all conditions once: those of the sets, and for each process the one of who it is now.
    fn go_round(&mut self, seed: &[Pid], rounds: &Rounds) -> Option<()> {
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
