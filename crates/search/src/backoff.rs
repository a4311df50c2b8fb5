//! When not to look for ample sets.
//!
//! Where ample sets leave out next to nothing, looking for them takes longer than exploring what they
//! leave out. A search that sees to it that nobody is postponed may always take all steps, so it
//! counts what the sets are good for, and decides at fixed points: after so many states, and again
//! whenever these have doubled. Nothing depends on time, or on which question came before which.
//!
//! A period begins when the states have doubled. If little was left out in the one before, no sets
//! are looked for; but if that was so in the whole period before, they are looked for in a small part
//! of the new one, and what comes of it decides about the rest: what a model does later may be
//! another matter.

use space::{AmpleAnswer, AmpleSet, AmpleSets, Look, Row};

/// The first period has so many states.
const FIRST_PERIOD: u64 = 1 << 12;
/// A trial has so small a part of the states seen before.
const TRIAL: u64 = 16;
/// Looking is worth while if one step is left out in so many states: a state has some three steps
/// in most models, so that this is a saving of some 5 %.
const WORTH: u64 = 8;

/// So many closer looks may be in vain; more of them, if no more than one of so many is.
const FEW_CLOSE: u64 = 1 << 9;
const CLOSE_WORTH: u64 = 8;

/// So many populations are analysed in any case.
const FEW_ANALYSED: u64 = 512;
/// An analysis takes as long as thousands of states, so one for so many states is too much.
const ANALYSED: u64 = 64;

/// What is done in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Sets are looked for.
    Seeking,
    /// The same, for a part of the period.
    Trying,
    /// They are not.
    Idle,
    /// They never are any more.
    Over,
}

/// Counts what ample sets are good for.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    /// Whether they are looked for in any case.
    is_thorough: bool,
    mode: Mode,
    look: Look,
    /// How many states were seen, and after how many a decision is due.
    seen: u64,
    due: u64,
    /// So many states were seen when counting began, and how many steps were left out since.
    from: u64,
    left_out: u64,
    /// How many states were looked at closely, and for how many of them this left out more.
    close: u64,
    gained: u64,
    /// So many states were seen when looking was given up for the first time.
    given_up: Option<u64>,
}

impl Backoff {
    /// For a search with what finds the sets.
    pub(crate) fn new(sets: &dyn AmpleSets) -> Backoff {
        Backoff {
            is_thorough: sets.is_thorough(),
            mode: Mode::Seeking,
            look: Look::Close,
            seen: 0,
            due: 1,
            from: 0,
            left_out: 0,
            close: 0,
            gained: 0,
            given_up: None,
        }
    }

    /// The search comes to another state: how closely to look for sets, if at all.
    #[inline(always)]
    pub(crate) fn next_state(&mut self, analysed: impl Fn() -> u64) -> Option<Look> {
        if self.seen == self.due {
            self.decide(analysed());
        }
        self.seen += 1;
        self.is_seeking().then_some(self.look)
    }

    /// Look for the sets of another state with these steps, or not.
    #[inline]
    pub(crate) fn find(
        &mut self,
        sets: &mut dyn AmpleSets,
        (state, rows): (&[u8], &[Row]),
        answer: &mut AmpleAnswer,
    ) {
        answer.sets.clear();
        if let Some(look) = self.next_state(|| sets.analysed()) {
            sets.ample_sets(state, rows, look, answer);
            if look == Look::Close && answer.may_improve {
                self.looked_closely();
            }
        }
    }

    /// Whether sets are looked for.
    #[inline(always)]
    fn is_seeking(&self) -> bool {
        matches!(self.mode, Mode::Seeking | Mode::Trying)
    }

    /// While no sets are looked for, how many states are seen when a decision is due.
    pub(crate) fn idle_until(&self) -> Option<u64> {
        match self.mode {
            Mode::Idle if self.seen < self.due => Some(self.due),
            Mode::Over => Some(u64::MAX),
            _ => None,
        }
    }

    /// So many states were seen by now, while no sets were looked for.
    pub(crate) fn skip_to(&mut self, seen: u64) {
        self.seen = seen;
    }

    /// How many states were seen when looking was given up for the first time.
    pub(crate) fn given_up(&self) -> Option<u64> {
        self.given_up
    }

    /// A state was looked at closely.
    #[inline(always)]
    pub(crate) fn looked_closely(&mut self) {
        self.close += 1;
    }

    /// A set was taken.
    #[inline(always)]
    pub(crate) fn take(&mut self, set: &AmpleSet) {
        self.left_out += u64::from(set.left_out);
        self.gained += u64::from(set.gain > 0);
    }

    #[cold]
    fn decide(&mut self, analysed: u64) {
        if self.is_thorough {
            self.due = u64::MAX;
            return;
        }
        let vain = self.close - self.gained;
        if vain >= FEW_CLOSE && vain * CLOSE_WORTH > self.close {
            self.look = Look::First;
        }
        if analysed > FEW_ANALYSED && analysed * ANALYSED > self.seen {
            self.give_up(Mode::Over);
            self.due = u64::MAX;
        } else if self.seen < FIRST_PERIOD {
            self.due = 2 * self.seen;
        } else {
            self.begin_part();
        }
    }

    /// Begin a period, or the part of it behind a trial.
    fn begin_part(&mut self) {
        let states = self.seen - self.from;
        let is_worth_while = self.left_out * WORTH >= states;
        let end = 2 * period(self.seen);
        (self.mode, self.due) = match (self.mode, is_worth_while) {
            (Mode::Seeking | Mode::Trying, true) => (Mode::Seeking, end),
            (Mode::Seeking | Mode::Trying, false) => (Mode::Idle, end),
            (Mode::Idle, _) => (Mode::Trying, self.seen + self.seen / TRIAL),
            (Mode::Over, _) => (Mode::Over, u64::MAX),
        };
        if self.mode == Mode::Idle {
            self.give_up(Mode::Idle);
        }
        (self.from, self.left_out) = (self.seen, 0);
    }

    fn give_up(&mut self, mode: Mode) {
        self.mode = mode;
        self.given_up.get_or_insert(self.seen);
    }
}

/// Where the period began in which so many states were seen.
fn period(seen: u64) -> u64 {
    1 << seen.ilog2()
}

#[cfg(test)]
mod tests {
    use space::PidSet;

    use super::*;

    fn backoff(is_thorough: bool) -> Backoff {
        Backoff {
            is_thorough,
            mode: Mode::Seeking,
            look: Look::Close,
            seen: 0,
            due: 1,
            from: 0,
            left_out: 0,
            close: 0,
            gained: 0,
            given_up: None,
        }
    }

    /// See so many states, of which sets leave out steps where the test says so. In how many sets
    /// were looked for.
    fn see(backoff: &mut Backoff, states: u64, leaves_out: impl Fn(u64) -> bool) -> u64 {
        let mut sought = 0;
        for state in 0..states {
            let look = backoff.next_state(|| 1);
            sought += u64::from(look.is_some());
            if look.is_some() && leaves_out(state) {
                let pids = PidSet(1);
                backoff.take(&AmpleSet {
                    pids,
                    left_out: 1,
                    gain: 0,
                });
            }
        }
        sought
    }

    #[test]
    fn sets_that_leave_out_little_are_given_up() {
        let mut backoff = backoff(false);
        let sought = see(&mut backoff, 1 << 20, |state| state % 100 == 0);
        assert_eq!(backoff.given_up(), Some(FIRST_PERIOD));
        assert!(sought * 12 < 1 << 20, "{sought}");
    }

    #[test]
    fn sets_that_leave_out_some_are_not() {
        let mut backoff = backoff(false);
        assert_eq!(see(&mut backoff, 1 << 20, |state| state % 7 == 0), 1 << 20);
        assert_eq!(backoff.given_up(), None);
    }

    #[test]
    fn what_comes_late_is_found() {
        let mut backoff = backoff(false);
        let sought = see(&mut backoff, 1 << 20, |state| state > 1 << 18);
        assert!(sought > 1 << 19, "{sought}");
        assert_eq!(backoff.idle_until(), None);
    }

    #[test]
    fn closer_looks_in_vain_end() {
        let mut backoff = backoff(false);
        for _ in 0..FEW_CLOSE {
            assert_eq!(backoff.next_state(|| 1), Some(Look::Close));
            backoff.looked_closely();
        }
        assert_eq!(backoff.next_state(|| 1), Some(Look::First));
    }

    #[test]
    fn too_many_populations_end_it() {
        let mut backoff = backoff(false);
        for _ in 0..8 {
            assert!(backoff.next_state(|| 20).is_some());
        }
        assert_eq!(backoff.next_state(|| 1_000), None);
        assert_eq!(backoff.idle_until(), Some(u64::MAX));
    }

    #[test]
    fn who_is_thorough_goes_on() {
        let mut backoff = backoff(true);
        assert_eq!(see(&mut backoff, 1 << 16, |_| false), 1 << 16);
    }
}
