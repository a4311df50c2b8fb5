//! Labels: where they are, and which one a `goto` means.

use std::collections::HashMap;

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

/// The labels of a body in the order they were met, found by name and by element.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    list: Vec<Label>,
    by_name: HashMap<String, Vec<usize>>,
    by_element: HashMap<ElementId, Vec<usize>>,
}

impl Labels {
    pub(super) fn add(&mut self, label: Label) {
        let row = self.list.len();
        self.by_name
            .entry(label.name.clone())
            .or_default()
            .push(row);
        self.by_element.entry(label.element).or_default().push(row);
        self.list.push(label);
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Label> {
        self.list.iter()
    }

    pub(super) fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = &Label> {
        let rows = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|&row| &self.list[row])
    }

    pub(super) fn of(&self, element: ElementId) -> impl Iterator<Item = &Label> {
        let rows = self.by_element.get(&element).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|&row| &self.list[row])
    }

    /// Move the newest label of an element to another element.
    pub(super) fn move_newest(&mut self, from: ElementId, to: ElementId) {
        let Some(row) = self.by_element.get_mut(&from).and_then(Vec::pop) else {
            return;
        };
        self.by_element.entry(to).or_default().push(row);
        self.list[row].element = to;
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
        for label in self.labels.named(name).rev() {
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
