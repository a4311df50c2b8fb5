//! `constant-index`: a constant index that no element has.

use super::constant::value;
use super::walk::Walk;
use super::{Lint, scope::Place};
use crate::ast::VarRef;
use crate::diagnostic::Diagnostic;

pub(super) fn reference<'a>(walk: &mut Walk<'a>, var: &'a VarRef, places: &[Place<'a>]) {
    for (part, place) in var.parts.iter().zip(places) {
        let (Some(index), Some(size)) = (&part.index, &place.var.size) else {
            continue;
        };
        let (Some(at), Some(size)) = (value(index), value(size)) else {
            continue;
        };
        if size <= 0 || (0..size).contains(&at) {
            continue;
        }
        let name = &part.name.name;
        let message = format!("`{name}` has no element {at}");
        let help = match size {
            1 => format!("the only element of `{name}` is `{name}[0]`"),
            _ => format!("valid indices of `{name}` are 0 to {}", size - 1),
        };
        walk.report(
            Diagnostic::lint(Lint::ConstantIndex, index.span, message)
                .help(help)
                .note(place.var.name.span, "declared here"),
        );
    }
}
