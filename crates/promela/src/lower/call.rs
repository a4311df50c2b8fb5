//! Calls of inlines: where the statements of an expansion were called from.

use model::{Call, CallId};

use super::Lowerer;
use crate::source::{ExpansionId, ExpansionKind, Span};

impl Lowerer<'_> {
    /// The call of an inline that a text comes from. Each expansion is followed outwards only
    /// once, so that all calls together cost no more than there are expansions.
    pub(super) fn call(&mut self, span: Span) -> CallId {
        let (expansions, mut call) = self.unknown_expansions(span);
        for id in expansions.into_iter().rev() {
            call = self.call_of(id, call);
            self.calls.insert(id, call);
        }
        call
    }

    /// The expansions a text lies in, innermost first, up to one that is known already, and the
    /// call that this one comes from.
    fn unknown_expansions(&self, span: Span) -> (Vec<ExpansionId>, CallId) {
        let mut unknown = Vec::new();
        let mut id = span.expansion;
        while let Some(expansion) = self.sources.expansion(id) {
            if let Some(&call) = self.calls.get(&id) {
                return (unknown, call);
            }
            unknown.push(id);
            id = expansion.call.expansion;
        }
        (unknown, CallId::NONE)
    }

    /// The call that an expansion comes from, where its use comes from another one.
    fn call_of(&mut self, id: ExpansionId, outer: CallId) -> CallId {
        match self.sources.expansion(id) {
            Some(expansion) if expansion.kind == ExpansionKind::Inline => {
                let location = self.locate(expansion.call);
                self.model.calls.push(Call {
                    inline: expansion.name.clone(),
                    location,
                    outer,
                });
                CallId(self.model.calls.len() as u32)
            }
            _ => outer,
        }
    }
}
