//! Labels: where they are, and which one a `goto` means.

use super::flow::{ElementId, Flow, Jump};
use crate::source::Span;

/// The blocks around a place in a body, outermost first, each by its own number.
pub(super) type ScopePath = Vec<u32>;

/// A label of a body.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) name: String,
    pub(super) scope: ScopePath,
    pub(super) element: ElementId,
    pub(super) span: Span,
}

impl Label {
    /// `end...`, `accept...` and `progress...` mean something.
    pub(super) fn is_special(&self) -> bool {
        ["end", "accept", "progress"]
            .iter()
            .any(|prefix| self.name.starts_with(prefix))
    }
}

impl Flow {
    /// The element a jump leads to: the label of the same block, else the one of the
    /// nearest enclosing block, else any of the body.
    pub(super) fn destination(&self, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::Break(number) => self.breaks[*number as usize],
            Jump::Label(name, scope) => self.find_label(name, scope).map(|label| label.element),
        }
    }

    pub(super) fn find_label(&self, name: &str, scope: &[u32]) -> Option<&Label> {
        let mut found: Option<&Label> = None;
        for label in self.labels.iter().rev().filter(|label| label.name == name) {
            if label.scope == scope {
                return Some(label);
            }
            if scope.starts_with(&label.scope) || found.is_none() {
                found = Some(label);
            }
        }
        found
    }
}
