//! Warnings about text that is legal Promela and probably not what was meant.
//!
//! One walk over the tree resolves names and shows each construct to the lints that care for it, so
//! the work is linear in the size of the program. Each lint has a file of its own, and says nothing
//! where the text may be right: a warning about correct text costs more than a missed mistake. In
//! particular, text that a macro or an inline brings along may fit other uses of it.

mod allow;
mod assignment_guard;
mod channel_arity;
mod channels;
mod constant;
mod constant_index;
mod constant_truncation;
mod mtype_number;
mod scope;
mod unreachable_option;
mod unused_variable;
mod walk;

use crate::ast::Program;
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// The kinds of warnings that can be turned off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lint {
    /// `:: x = 1 ->` where `==` was meant.
    AssignmentGuard,
    /// A message with the wrong number of fields for its channel.
    ChannelArity,
    /// A constant index out of range.
    ConstantIndex,
    /// A constant that its variable cannot hold.
    ConstantTruncation,
    /// A symbolic name taken for a number.
    MtypeNumber,
    /// A statement or an option that cannot be reached.
    UnreachableOption,
    /// A variable that nobody reads.
    UnusedVariable,
}

impl Lint {
    /// All of them, by name.
    pub const ALL: [Lint; 7] = [
        Lint::AssignmentGuard,
        Lint::ChannelArity,
        Lint::ConstantIndex,
        Lint::ConstantTruncation,
        Lint::MtypeNumber,
        Lint::UnreachableOption,
        Lint::UnusedVariable,
    ];

    /// How it is called in messages and where it is turned off.
    pub fn name(self) -> &'static str {
        match self {
            Lint::AssignmentGuard => "assignment-guard",
            Lint::ChannelArity => "channel-arity",
            Lint::ConstantIndex => "constant-index",
            Lint::ConstantTruncation => "constant-truncation",
            Lint::MtypeNumber => "mtype-number",
            Lint::UnreachableOption => "unreachable-option",
            Lint::UnusedVariable => "unused-variable",
        }
    }

    /// What it warns of, in one line.
    pub fn description(self) -> &'static str {
        match self {
            Lint::AssignmentGuard => "an option begins with `=` where `==` was probably meant",
            Lint::ChannelArity => "the number of fields in a message differs from its channel's",
            Lint::ConstantIndex => "a constant index is out of range",
            Lint::ConstantTruncation => "a constant does not fit into its variable",
            Lint::MtypeNumber => "an mtype is compared with a number or assigned one",
            Lint::UnreachableOption => "an option or statement can never be reached",
            Lint::UnusedVariable => "a variable is never read",
        }
    }

    /// The lint of a name.
    pub fn from_name(name: &str) -> Option<Lint> {
        Lint::ALL.into_iter().find(|lint| lint.name() == name)
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The lints that are on; by default all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lints {
    off: u32,
}

impl Default for Lints {
    fn default() -> Lints {
        Lints::all()
    }
}

impl Lints {
    /// All lints.
    pub fn all() -> Lints {
        Lints { off: 0 }
    }

    /// No lint.
    pub fn none() -> Lints {
        let off = Lint::ALL.into_iter().fold(0, |off, lint| off | lint.bit());
        Lints { off }
    }

    /// Turn a lint off.
    pub fn allow(&mut self, lint: Lint) {
        self.off |= lint.bit();
    }

    /// Turn a lint on.
    pub fn warn(&mut self, lint: Lint) {
        self.off &= !lint.bit();
    }

    /// Whether a lint is on.
    pub fn contains(self, lint: Lint) -> bool {
        self.off & lint.bit() == 0
    }

    fn is_empty(self) -> bool {
        self == Lints::none()
    }
}

/// The warnings about a program without errors, in the order of the text. Comments of the model
/// may turn some of them off.
pub fn check(program: &Program, sources: &SourceMap, lints: Lints) -> Vec<Diagnostic> {
    if lints.is_empty() {
        return Vec::new();
    }
    let mut found = walk::walk(program, sources, lints);
    allow::remove_allowed(&mut found, sources);
    found.sort_by_key(|d| (d.span.file, d.span.start));
    found
}

#[cfg(test)]
mod tests {
    use super::{Lint, Lints};

    #[test]
    fn names() {
        for lint in Lint::ALL {
            assert_eq!(Lint::from_name(lint.name()), Some(lint));
            assert!(!lint.description().is_empty());
        }
        assert!(Lint::ALL.is_sorted_by_key(|lint| lint.name()));
        assert_eq!(Lint::from_name("nonsense"), None);
    }

    #[test]
    fn sets() {
        let mut lints = Lints::default();
        assert!(Lint::ALL.into_iter().all(|lint| lints.contains(lint)));
        for lint in Lint::ALL {
            assert!(!lints.is_empty());
            lints.allow(lint);
            assert!(!lints.contains(lint));
        }
        assert_eq!(lints, Lints::none());
    }
}
