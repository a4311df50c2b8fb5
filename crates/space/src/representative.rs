//! States that are the same but for which process is which.

use crate::Pid;

/// Chooses one state for all that differ only in the names of processes.
///
/// A state and its representative have the same future, up to the renaming of processes that
/// [`Representative::renamed`] tells.
pub trait Representative {
    /// Replace a state, without its hidden bytes, by its representative. The length stays.
    fn represent(&mut self, state: &mut [u8]);

    /// What a process of the state that was replaced last is called in its representative.
    fn renamed(&self, pid: Pid) -> Pid;

    /// What a process of the representative was called in the state that was replaced last.
    fn original(&self, pid: Pid) -> Pid;
}
