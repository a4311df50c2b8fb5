//! What a product does where no process can move.

use super::*;

impl<const W: usize, D: Digest, M: Monitor> Product<'_, W, D, M> {
    /// No process can move: those who wait for a timeout may, or the monitor goes on alone.
    #[cold]
    #[inline(never)]
    pub(super) fn expand_stuck(
        &mut self,
        state: &State<W, D>,
        mut stepped: Stepped,
        out: &mut Vec<Edge<W, D>>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<Expanded, Stop> {
        if self.system.learner.uses_timeout {
            let waits = !stepped.has_violations || !self.has_direct_fault(state, Phase::Steps);
            let complaints = self.find_moves(state, waits, false)?;
            let from = out.len();
            let first = stepped;
            stepped = self.step(state, Phase::Timeout, out, poll)?;
            stepped.has_violations |= first.has_violations;
            stepped.counts.reach = stepped.counts.reach.max(first.counts.reach);
            if out.len() > from || stepped.counts.moved {
                return self.combine(state, &stepped, complaints, from, out);
            }
        }
        if stepped.has_violations {
            self.taken.clear();
            self.note_faults(state, stepped.is_timeout);
        }
        self.begin_alone(state, stepped.counts.reach, out)
    }

    /// The monitor begins to go on alone.
    pub(super) fn begin_alone(
        &mut self,
        state: &State<W, D>,
        reach: u32,
        out: &mut Vec<Edge<W, D>>,
    ) -> Result<Expanded, Stop> {
        let is_stored = !matches!(self.info.alone, Alone::TwoAtFirst(_));
        let mut has_complaints = self.find_moves(state, true, is_stored)? != 0;
        let moves = std::mem::take(&mut self.taken);
        for taken in &moves {
            let behind = state.xor(&taken.delta);
            if is_stored {
                out.push(Edge {
                    state: behind,
                    info: self.stutter[0],
                    sets: taken.sets,
                    pid: Pid::NOBODY.0,
                });
                continue;
            }
            let middle = self.with_alone(&behind)?;
            has_complaints |= self.find_moves(&middle, true, true)? != 0;
            out.extend(self.taken.iter().map(|second| Edge {
                state: middle.xor(&second.delta),
                info: self.stutter[1],
                sets: taken.sets | second.sets,
                pid: Pid::NOBODY.0,
            }));
        }
        self.taken = moves;
        let is_stateless = self.info.alone == Alone::Stateless;
        Ok(Expanded {
            reach_inside: if is_stateless { reach } else { 0 },
            ..self.expanded_alone(has_complaints)
        })
    }

    /// The monitor goes on alone, as it did before.
    #[cold]
    #[inline(never)]
    pub(super) fn expand_alone(
        &mut self,
        state: &State<W, D>,
        out: &mut Vec<Edge<W, D>>,
    ) -> Result<Expanded, Stop> {
        let has_complaints = self.find_moves(state, true, true)? != 0;
        let info = self.stutter[0];
        out.extend(self.taken.iter().map(|taken| Edge {
            state: state.xor(&taken.delta),
            info,
            sets: taken.sets,
            pid: Pid::NOBODY.0,
        }));
        Ok(self.expanded_alone(has_complaints))
    }

    /// What there is to account for where the monitor goes on alone by the moves in `taken`.
    pub(super) fn expanded_alone(&self, has_complaints: bool) -> Expanded {
        Expanded {
            reach: if self.taken.is_empty() {
                0
            } else {
                self.info.levels
            },
            has_complaints,
            goes_on: !self.taken.is_empty(),
            sets: self.taken.first().map_or(0, |first| first.sets),
            ..Expanded::default()
        }
    }

    /// Whether the monitor goes on alone.
    #[inline(always)]
    pub(super) fn is_alone(&self, state: &State<W, D>) -> bool {
        self.alone_field.get(&state.words) != 0
    }

    /// The same state, where the monitor goes on alone.
    pub(super) fn with_alone(&mut self, state: &State<W, D>) -> Result<State<W, D>, Stop> {
        self.after.clear();
        self.after.extend_from_slice(self.system.unpack(state));
        if let Alone::TwoAtFirst(at) = self.info.alone {
            self.after[at] = 1;
        }
        self.system.pack_near(state, &self.after)
    }
}
