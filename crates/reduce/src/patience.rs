//! When it is no longer worth while to look for ample sets.
//!
//! Where none was found for long, most likely there is none, and only some states are looked at
//! until one is found again. A search that sees to it that nobody waits for ever may always
//! take all steps.

/// How long none was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// So many states without an ample set are too many.
    long: u32,
    /// Then one of so many is looked at.
    rarely: u32,
    /// States that were looked at since.
    in_vain: u32,
    passed_over: u32,
}

impl Patience {
    /// For a look that does not take long.
    pub(crate) const LONG: Patience = Patience::new(1 << 15, 16);
    /// For a look that does.
    pub(crate) const SHORT: Patience = Patience::new(1 << 10, 256);

    const fn new(long: u32, rarely: u32) -> Patience {
        Patience {
            long,
            rarely,
            in_vain: 0,
            passed_over: 0,
        }
    }

    /// Whether the next state is to be passed over.
    #[inline]
    pub(crate) fn is_lost(&mut self) -> bool {
        if self.in_vain < self.long {
            return false;
        }
        self.passed_over = (self.passed_over + 1) % self.rarely;
        self.passed_over != 0
    }

    /// A state was looked at. Was it worth while?
    #[inline]
    pub(crate) fn note(&mut self, found: bool) {
        self.in_vain = match found {
            true => 0,
            false => self.in_vain.saturating_add(1),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_success_restores_it() {
        let mut patience = Patience::LONG;
        for _ in 0..1 << 15 {
            assert!(!patience.is_lost());
            patience.note(false);
        }
        let looked_at = |patience: &mut Patience| (0..160).filter(|_| !patience.is_lost()).count();
        assert_eq!(looked_at(&mut patience), 10);
        patience.note(true);
        assert_eq!(looked_at(&mut patience), 160);
    }
}
