//! Random walks that tell what values parts have, before layouts are chosen.
//!
//! The first states of a search tell little about values that come up late, and a layout that turns
//! out to be too narrow costs a rewrite of all states. A walk comes far in few steps.

use model::Model;
use space::Violation;

use crate::cut::{Cut, Grain};
use crate::state::{Digest, State};
use crate::system::{Stop, System};

/// So many random walks of so many steps tell what values there are, see [`System::scout`].
const SCOUTS: usize = 16;
const SCOUT_STEPS: usize = 256;
const SCOUT_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Models with fewer parts are not cut coarser.
const FEW_PARTS: usize = 24;
/// A coarser cut may ask so many times as much, and so much more.
const MOST_ASKED: u64 = 3;
const MORE_ASKED: u64 = 300;

/// How fine to cut the globals: so fine that little is asked, but coarser where states take fewer
/// words then.
pub(crate) fn choose_grain(model: &Model) -> Result<Grain, Violation> {
    let parts = |grain| Cut::new(model, grain).globals.len();
    let finest = parts(Grain::Scalars);
    if finest < FEW_PARTS || finest == parts(Grain::Variables) {
        return Ok(Grain::Scalars);
    }
    let (mut words, asked) = try_grain(model, Grain::Scalars)?;
    let mut best = Grain::Scalars;
    for grain in [Grain::Elements, Grain::Variables] {
        if words > 1 && parts(grain) < finest {
            let (fewer, asks) = try_grain(model, grain)?;
            if fewer < words && asks <= MOST_ASKED * asked + MORE_ASKED {
                (words, best) = (fewer, grain);
            }
        }
    }
    Ok(best)
}

/// How many words states would take, by what a few random walks tell, and how often the model is
/// asked for these.
fn try_grain(model: &Model, grain: Grain) -> Result<(usize, u64), Violation> {
    /// More than there are.
    const TOO_MANY: usize = 5;
    let (mut system, mut state) = System::<4, ()>::cut(model, grain, |_| ())?;
    while let Err(Stop::TooNarrow) = system.walk_at_random(&state, &mut || false) {
        let Some((wider, rewrite)) = system.widen::<4>(&[u64::BITS; 4]) else {
            return Ok((TOO_MANY, 0));
        };
        state.words = rewrite.apply(&state.words);
        system = wider;
    }
    let fits = |&words: &usize| system.fits_more(&vec![u64::BITS; words]);
    let words = [1, 2, 4].into_iter().find(fits);
    Ok((words.unwrap_or(TOO_MANY), system.asked()))
}

impl<const W: usize, D: Digest> System<'_, W, D> {
    /// Meet with values of parts on random walks from a state, so that a layout leaves room for them.
    /// Nothing else is remembered. Where a number does not fit, the walks end.
    pub fn scout(&mut self, from: &State<W, D>, poll: &mut dyn FnMut() -> bool) {
        let (relation, executed) = (self.relation.clone(), self.learner.executed.clone());
        let ample = self.ample.take();
        // If they end early, there is less to go by.
        let _ = self.walk_at_random(from, poll);
        (self.relation, self.learner.executed, self.ample) = (relation, executed, ample);
        self.relation.refresh(&self.learner.numbering);
    }

    /// Make some random walks from a state on.
    fn walk_at_random(
        &mut self,
        from: &State<W, D>,
        poll: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stop> {
        let mut random = SCOUT_SEED;
        let mut found = Vec::new();
        for _ in 0..SCOUTS {
            let mut state = *from;
            for _ in 0..SCOUT_STEPS {
                found.clear();
                self.expand(&state, &mut found, poll)?;
                if found.is_empty() {
                    break;
                }
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                state = found[(random % found.len() as u64) as usize].state;
            }
        }
        Ok(())
    }
}
