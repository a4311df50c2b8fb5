//! When it is no longer worth while to look for ample sets.
//!
//! Where none was found for long, most likely there is none, and only some states are looked at
//! until one is found again. A search that sees to it that nobody waits for ever may always
//! take all steps.

/// How long none was found.
///
/// Each look takes something of the credit, each success restores some of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    credit: u32,
    most: u32,
    /// What a success is worth.
    reward: u32,
    /// Without credit, one of so many states is looked at.
    rarely: u32,
    passed_over: u32,
}

impl Patience {
    /// For a look that does not take long: one success in hundreds is enough to go on.
    pub(crate) const LONG: Patience = Patience::new(1 << 11, 1 << 15, 1 << 8, 64);
    /// For a look that does: it must be worth while nearly always.
    pub(crate) const SHORT: Patience = Patience::new(1 << 9, 1 << 12, 1, 1_024);

    const fn new(credit: u32, most: u32, reward: u32, rarely: u32) -> Patience {
        Patience {
            credit,
            most,
            reward,
            rarely,
            passed_over: 0,
        }
    }

    /// Whether the next state is to be passed over.
    #[inline]
    pub(crate) fn is_lost(&mut self) -> bool {
        if self.credit > 0 {
            return false;
        }
        self.passed_over = (self.passed_over + 1) % self.rarely;
        self.passed_over != 0
    }

    /// A state was looked at.
    #[inline]
    pub(crate) fn look(&mut self) {
        self.credit = self.credit.saturating_sub(1);
    }

    /// It was worth while.
    #[inline]
    pub(crate) fn succeed(&mut self) {
        self.credit = (self.credit + self.reward).min(self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_at(patience: &mut Patience, states: u32) -> usize {
        (0..states).filter(|_| !patience.is_lost()).count()
    }

    #[test]
    fn one_success_restores_it() {
        let mut patience = Patience::LONG;
        for _ in 0..1 << 11 {
            assert!(!patience.is_lost());
            patience.look();
        }
        assert_eq!(looked_at(&mut patience, 640), 10);
        patience.succeed();
        assert_eq!(looked_at(&mut patience, 160), 160);
    }

    #[test]
    fn few_successes_are_not_enough() {
        let mut patience = Patience::SHORT;
        for state in 0..40_000 {
            if !patience.is_lost() {
                patience.look();
                if state % 5 == 0 {
                    patience.succeed();
                }
            }
        }
        assert!(looked_at(&mut patience, 256) < 10);
    }
}
