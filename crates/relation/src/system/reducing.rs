//! Ample sets of the states of a system.

use space::{AmpleSet, AmpleSets, Look, Pid, PidSet};

use super::{Counted, Next, Stop, System};
use crate::ample::{Ample, AmpleCache, Members};
use crate::learner::Phase;
use crate::state::{Digest, State};

/// A process with so many moves is not looked at for ample sets: rows with more are not remembered.
const MOST_NOTED: u32 = 1 << 12;

impl Counted {
    /// What there is to account for if the moves of some processes are taken only. Offers count,
    /// whoever makes them.
    pub fn of_some(members: &Members, taken: PidSet) -> Counted {
        let mut counted = Counted {
            moved: true,
            ..Counted::default()
        };
        for (pid, counts) in members.counts() {
            match taken.has(*pid) {
                true => counted.add(counts),
                false => counted.reach = counted.reach.max(counts.offers.into()),
            }
        }
        counted
    }
}

impl<'m, const W: usize, D: Digest> System<'m, W, D> {
    /// Ask this about ample sets from now on.
    pub fn reduce_by(&mut self, finder: &'m mut dyn AmpleSets) {
        self.relation.reset();
        self.ample = Some(AmpleCache::new(finder));
    }

    /// Do not ask about ample sets any more: what processes contribute to them decides about rows
    /// no longer.
    pub fn stop_reducing(&mut self) {
        self.relation.reset();
        self.ample = None;
    }

    /// What finds ample sets.
    pub fn finder(&self) -> Option<&dyn AmpleSets> {
        self.ample.as_ref().map(AmpleCache::finder)
    }

    /// Append the successors of a state, and note what is known about its processes, for
    /// [`System::find_ample`].
    #[inline(always)]
    pub fn expand_noting(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Next<W, D>>,
        members: &mut Members,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Counted, Stop> {
        let mut counted = Counted::default();
        let mut number = 0;
        members.clear();
        for pid in (0..self.relation.process_count(state)).rev() {
            let process = Pid(pid as u8);
            let Some(known) = self.relation.row(state, process, Phase::Steps) else {
                let from = out.len();
                let row = self.ask(state, (process, Phase::Steps), number, out, poll)?;
                counted.add(&row.counts);
                let moves = (out.len() - from) as u32;
                members.add(process, moves, Some(&row.counts), row.ample);
                members.is_whole |= moves >= MOST_NOTED;
                number += moves;
                continue;
            };
            let counts = known.counts();
            if let Some(counts) = counts {
                counted.add(counts);
            }
            members.add(process, known.len(), counts, known.ample());
            known.for_each(|delta, info| {
                out.push(Next::new(state.xor(delta), info, process, number, 0));
                number += 1;
            });
        }
        counted.moved |= number > 0;
        if !counted.moved {
            members.is_whole = true;
            self.expand_stuck(state, &mut counted, out, poll)?;
        }
        Ok(counted)
    }

    /// Look for ample sets of a state that was expanded last, with what was noted then.
    #[inline(always)]
    pub fn find_ample(&mut self, state: &State<W, D>, members: &Members, look: Look) -> Ample {
        match &self.ample {
            None => Ample::NONE,
            Some(ample) => match ample.recall(members, look) {
                Some(known) => known,
                None => self.find_ample_anew(state, members, look),
            },
        }
    }

    #[cold]
    #[inline(never)]
    fn find_ample_anew(&mut self, state: &State<W, D>, members: &Members, look: Look) -> Ample {
        self.unpack(state);
        match &mut self.ample {
            None => Ample::NONE,
            Some(ample) if ample.knows_steps(members) => ample.find(members, &self.vector, look),
            Some(ample) => ample.ask(&self.vector, self.learner.steps(&self.vector), look),
        }
    }

    /// One of the ample sets that were found last.
    #[inline(always)]
    pub fn ample_set(&self, ample: Ample, number: usize) -> Option<AmpleSet> {
        let cache = self.ample.as_ref()?;
        (number < ample.count()).then(|| cache.set(ample, number))
    }
}
