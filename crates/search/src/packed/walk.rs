//! Executions along the moves of a path, by their numbers.

use relation::{Phase, What};
use space::{Step, Trace};

use super::WordStores;
use super::search::Search;

impl<A: WordStores, const W: usize> Search<'_, A, W> {
    /// The steps of the moves of these numbers, from the initial state on.
    pub(super) fn trace(&mut self, path: &[u32]) -> Trace {
        let mut steps = Vec::new();
        self.walk(path, &mut steps);
        Trace::of_steps(steps)
    }

    /// Append the steps of a path.
    fn walk(&mut self, path: &[u32], steps: &mut Vec<Step>) {
        let (mut state, mut found) = (self.initial, Vec::new());
        for &number in path {
            found.clear();
            // It was expanded before, within all limits.
            let counted = self.system.expand(&state, &mut found, &mut || false);
            let Some(next) = found.get(number as usize) else {
                debug_assert!(false, "there is no such move");
                return;
            };
            let pid = next.pid();
            let first = found.iter().take_while(|other| other.pid() != pid).count();
            let phase = counted.map_or(Phase::Steps, |counted| counted.phase());
            let what = What::Move(number as usize - first);
            steps.extend(self.system.explain(&state, pid, phase, what));
            state = next.state;
        }
    }

    /// The levels of the moves of these numbers together.
    pub(super) fn levels_of(&mut self, path: &[u32]) -> u64 {
        let (mut state, mut found, mut levels) = (self.initial, Vec::new(), 0);
        for &number in path {
            found.clear();
            let _ = self.system.expand(&state, &mut found, &mut || false);
            let Some(next) = found.get(number as usize) else {
                break;
            };
            levels += u64::from(self.system.relation().info(next.info).levels);
            state = next.state;
        }
        levels
    }
}
