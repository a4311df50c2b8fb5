//! `constant-truncation`: a constant that what it is stored in cannot hold.

use super::Lint;
use super::constant::value;
use super::scope::Place;
use super::walk::Walk;
use crate::ast::{Decl, Expr, TypeName, VarDecl, VarInit, VarRef, Visibility};
use crate::diagnostic::Diagnostic;

/// A type with the numbers it holds.
pub(super) struct Holds {
    name: String,
    first: i64,
    last: i64,
}

impl Holds {
    fn new(name: impl Into<String>, first: i64, last: i64) -> Option<Holds> {
        let name = name.into();
        Some(Holds { name, first, last })
    }

    /// What a variable holds. An array of bits is kept as bytes.
    fn of_variable(place: Place<'_>) -> Option<Holds> {
        let array = place.var.size.is_some();
        if place.decl.visibility == Some(Visibility::Hidden) {
            // Spin keeps these in larger types.
            return None;
        }
        match &place.decl.ty {
            TypeName::Bit | TypeName::Bool if array => None,
            TypeName::Unsigned => {
                let width = value(place.var.width.as_ref()?)?;
                let name = format!("unsigned : {width}");
                let width = u32::try_from(width).ok().filter(|width| *width < 32)?;
                Holds::new(name, 0, (1 << width) - 1)
            }
            ty => Holds::of_field(ty),
        }
    }

    /// What a field of a message holds.
    pub fn of_field(ty: &TypeName) -> Option<Holds> {
        match ty {
            TypeName::Bit => Holds::new("bit", 0, 1),
            TypeName::Bool => Holds::new("bool", 0, 1),
            TypeName::Byte => Holds::new("byte", 0, 255),
            TypeName::Pid => Holds::new("pid", 0, 255),
            TypeName::Short => Holds::new("short", -(1 << 15), (1 << 15) - 1),
            TypeName::Mtype(_) => Holds::new("mtype", 0, 255),
            TypeName::Int | TypeName::Unsigned | TypeName::Chan | TypeName::Named(_) => None,
        }
    }

    /// What is left of a number.
    fn stored(&self, value: i64) -> i64 {
        let numbers = self.last - self.first + 1;
        (value - self.first).rem_euclid(numbers) + self.first
    }
}

/// Check a value that is stored.
pub(super) fn store(walk: &mut Walk<'_>, holds: Option<Holds>, expr: &Expr) {
    let (Some(holds), Some(value)) = (holds, value(expr)) else {
        return;
    };
    if (holds.first..=holds.last).contains(&value) {
        return;
    }
    let Holds { name, first, last } = &holds;
    let message = format!("{value} does not fit into `{name}`");
    walk.report(
        Diagnostic::lint(Lint::ConstantTruncation, expr.span, message)
            .label(format!("stored as {}", holds.stored(value)))
            .help(format!("`{name}` holds {first} to {last}")),
    );
}

pub(super) fn declaration(walk: &mut Walk<'_>, decl: &Decl, var: &VarDecl) {
    let holds = || Holds::of_variable(Place { decl, var });
    match &var.init {
        Some(VarInit::Expr(expr)) => store(walk, holds(), expr),
        Some(VarInit::List(list)) => {
            for expr in list {
                store(walk, holds(), expr);
            }
        }
        Some(VarInit::Chan(_)) | None => {}
    }
}

pub(super) fn assignment(walk: &mut Walk<'_>, var: &VarRef, expr: &Expr) {
    let holds = walk.scope.place(var).and_then(Holds::of_variable);
    store(walk, holds, expr);
}

/// The arguments of a `run`; structures stand for several values and are left out.
pub(super) fn run(walk: &mut Walk<'_>, proctype: &str, args: &[Expr]) {
    let Some(proctype) = walk.scope.proctype(proctype) else {
        return;
    };
    let params = proctype.params.iter();
    let params = params.flat_map(|decl| decl.vars.iter().map(move |var| Place { decl, var }));
    for (place, arg) in params.zip(args) {
        if matches!(place.decl.ty, TypeName::Named(_)) {
            return;
        }
        store(walk, Holds::of_variable(place), arg);
    }
}
