//! The walk over a program that shows the lints what they look at.

use std::collections::HashSet;

use space::cancel::poll;

use super::channels::{Channels, Message};
use super::constant::value;
use super::scope::{Owner, Place, Scope, Use};
use super::{
    Lint, Lints, assignment_guard, channel_arity, constant_index, constant_truncation,
    mtype_number, unreachable_option, unused_variable,
};
use crate::ast::{
    BinaryOp, Block, Decl, Expr, ExprKind, ForRange, Program, RecvArg, Step, Stmt, StmtKind, Unit,
    VarInit, VarRef,
};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceMap, Span};

/// Most warnings of one program.
const MOST: usize = 1000;

/// The state of a walk.
pub(super) struct Walk<'a> {
    pub sources: &'a SourceMap,
    pub scope: Scope<'a>,
    lints: Lints,
    channels: Channels<'a>,
    /// How many conditions around this place are constantly false.
    dead: u32,
    in_claim: bool,
    found: Vec<Diagnostic>,
    /// An inline is walked at each of its calls.
    seen: HashSet<(Lint, FileId, u32)>,
}

/// All warnings about a program.
pub(super) fn walk(program: &Program, sources: &SourceMap, lints: Lints) -> Vec<Diagnostic> {
    let mut walk = Walk {
        sources,
        scope: Scope::new(program),
        lints,
        channels: Channels::default(),
        dead: 0,
        in_claim: false,
        found: Vec::new(),
        seen: HashSet::new(),
    };
    for unit in &program.units {
        walk.unit(unit);
    }
    // Formulas may speak of what is declared behind them.
    for unit in &program.units {
        if let Unit::Ltl(ltl) = unit {
            walk.expr(&ltl.formula);
        }
    }
    let channels = std::mem::take(&mut walk.channels);
    channel_arity::finish(&mut walk, channels);
    unused_variable::finish(&mut walk);
    walk.found
}

impl<'a> Walk<'a> {
    /// Note a warning, once for each place. Text that a constant condition turns off may be wrong.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let Some(lint) = diagnostic.lint else {
            return;
        };
        let span = diagnostic.span;
        let is_wanted = self.dead == 0 && self.lints.contains(lint) && self.found.len() < MOST;
        if is_wanted && self.seen.insert((lint, span.file, span.start)) {
            self.found.push(diagnostic);
        }
    }

    fn unit(&mut self, unit: &'a Unit) {
        match unit {
            Unit::Decl(decl) => self.decl(decl, Owner::Model),
            Unit::Proctype(proctype) => {
                self.scope.enter();
                for decl in &proctype.params {
                    self.decl(decl, Owner::Parameter);
                }
                let count = proctype.active.iter().flat_map(|active| &active.count);
                for expr in count.chain(&proctype.provided) {
                    self.expr(expr);
                }
                self.body(&proctype.body);
                self.scope.leave();
            }
            Unit::Init(init) => self.body(&init.body),
            Unit::Never(claim) => {
                self.in_claim = true;
                self.block(&claim.body);
                self.in_claim = false;
            }
            Unit::Trace(trace) => {
                self.in_claim = true;
                self.block(&trace.body);
                self.in_claim = false;
            }
            Unit::Typedef(typedef) => {
                for decl in &typedef.fields {
                    self.initialisers(decl);
                }
            }
            Unit::Ltl(_) | Unit::Mtype(_) | Unit::Inline(_) | Unit::EmbeddedC(_) => {}
        }
    }

    fn decl(&mut self, decl: &'a Decl, owner: Owner) {
        self.initialisers(decl);
        for var in &decl.vars {
            self.scope.declare(owner, Place { decl, var });
        }
    }

    fn initialisers(&mut self, decl: &'a Decl) {
        for var in &decl.vars {
            constant_truncation::declaration(self, decl, var);
            if let Some(size) = &var.size {
                self.expr(size);
            }
            match &var.init {
                Some(VarInit::Expr(expr)) => self.expr(expr),
                Some(VarInit::List(list)) => list.iter().for_each(|expr| self.expr(expr)),
                Some(VarInit::Chan(_)) | None => {}
            }
        }
    }

    fn body(&mut self, body: &'a Block) {
        self.scope.enter();
        self.sequence(&body.steps);
        let is_statement = |step: &Step| matches!(step, Step::Stmt(_) | Step::Unless(_));
        if !body.steps.iter().any(is_statement) {
            // A body must not be empty.
            self.scope.touch_block();
        }
        self.scope.leave();
    }

    fn block(&mut self, block: &'a Block) {
        self.scope.enter();
        self.sequence(&block.steps);
        self.scope.leave();
    }

    fn sequence(&mut self, steps: &'a [Step]) {
        if !self.in_claim {
            unreachable_option::sequence(self, steps);
        }
        for step in steps {
            match step {
                Step::Decl(decl) => self.decl(decl, Owner::Body),
                Step::Exclusive(exclusive) => {
                    for channel in &exclusive.channels {
                        self.reference(channel, Use::Read);
                    }
                }
                Step::Stmt(stmt) => self.stmt(stmt),
                Step::Unless(unless) => {
                    self.stmt(&unless.main);
                    self.stmt(&unless.escape);
                }
            }
        }
    }

    fn options(&mut self, options: &'a [Block]) {
        if !self.in_claim {
            assignment_guard::choice(self, options);
            unreachable_option::choice(self, options);
        }
        for option in options {
            let never = match option.steps.first() {
                Some(Step::Stmt(Stmt {
                    kind: StmtKind::Expr(guard),
                    ..
                })) => value(guard) == Some(0),
                _ => false,
            };
            self.dead += u32::from(never);
            self.sequence(&option.steps);
            self.dead -= u32::from(never);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        poll();
        match &stmt.kind {
            StmtKind::Send { channel, args, .. } => {
                self.reference(channel, Use::Read);
                self.exprs(args);
                self.message(channel, stmt.span, Message::Sent(args));
            }
            StmtKind::Receive { channel, args, .. } => {
                self.reference(channel, Use::Read);
                self.received(args);
                self.message(channel, stmt.span, Message::Received(args));
            }
            StmtKind::Assign(var, expr) => {
                // The number of a process must go somewhere, as a message must.
                self.reference(
                    var,
                    match expr.kind {
                        ExprKind::Run { .. } => Use::Receive,
                        _ => Use::Write,
                    },
                );
                self.expr(expr);
                constant_truncation::assignment(self, var, expr);
                mtype_number::assignment(self, var, expr);
            }
            StmtKind::Increment(var) | StmtKind::Decrement(var) => self.reference(var, Use::Read),
            StmtKind::SetPriority(pid, priority) => {
                self.expr(pid);
                self.expr(priority);
            }
            StmtKind::Printf(_, args) => self.exprs(args),
            StmtKind::Printm(expr) | StmtKind::Assert(expr) | StmtKind::Expr(expr) => {
                self.expr(expr);
            }
            StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
                self.block(block);
            }
            StmtKind::Inline { body, .. } => self.block(body),
            StmtKind::If(options) | StmtKind::Do(options) => self.options(options),
            StmtKind::For { var, range, body } => {
                self.for_range(var, range);
                self.block(body);
            }
            StmtKind::Select { var, from, to, .. } => {
                self.reference(var, Use::Write);
                self.bounds(var, from, to);
            }
            StmtKind::Empty
            | StmtKind::Else
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::EmbeddedC(_) => {}
        }
    }

    fn for_range(&mut self, var: &'a VarRef, range: &'a ForRange) {
        // The loop itself reads it.
        self.reference(var, Use::Read);
        match range {
            ForRange::Range(from, to) => {
                self.scope.touch(var, Use::Write);
                self.bounds(var, from, to);
            }
            ForRange::In(array) => {
                // It takes the messages of a channel, or the indices of an array.
                self.scope.touch(var, Use::Receive);
                self.reference(array, Use::Read);
            }
        }
    }

    fn bounds(&mut self, var: &'a VarRef, from: &'a Expr, to: &'a Expr) {
        for expr in [from, to] {
            self.expr(expr);
            constant_truncation::assignment(self, var, expr);
        }
    }

    /// A message, unless it is one that a trace watches.
    fn message(&mut self, channel: &'a VarRef, span: Span, message: Message<'a>) {
        if self.dead == 0 && !self.in_claim {
            self.channels.note(&self.scope, channel, span, message);
        }
    }

    fn received(&mut self, args: &'a [RecvArg]) {
        for arg in args {
            match arg {
                RecvArg::Var(var) => self.reference(var, Use::Receive),
                RecvArg::Eval(expr) | RecvArg::Const(expr) => self.expr(expr),
            }
        }
    }

    fn reference(&mut self, var: &'a VarRef, how: Use) {
        self.scope.touch(var, how);
        let mut has_index = false;
        for index in var.parts.iter().filter_map(|part| part.index.as_ref()) {
            has_index = true;
            self.expr(index);
        }
        if has_index {
            let places = self.scope.parts(var);
            constant_index::reference(self, var, &places);
        }
    }

    fn exprs(&mut self, exprs: &'a [Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        poll();
        match &expr.kind {
            ExprKind::Var(var) => self.reference(var, Use::Read),
            ExprKind::Unary(_, operand)
            | ExprKind::Enabled(operand)
            | ExprKind::GetPriority(operand)
            | ExprKind::PcValue(operand) => self.expr(operand),
            ExprKind::Binary(op, ..) => self.binary(*op, expr),
            ExprKind::Cond(condition, yes, no) => {
                self.expr(condition);
                let condition = value(condition);
                self.part(condition == Some(0), yes);
                self.part(condition.is_some_and(|value| value != 0), no);
            }
            ExprKind::Run { name, args, .. } => {
                self.exprs(args);
                constant_truncation::run(self, &name.name, args);
            }
            ExprKind::Channel(_, channel) => self.reference(channel, Use::Read),
            ExprKind::Poll { channel, args, .. } => {
                self.reference(channel, Use::Read);
                self.received(args);
                self.message(channel, expr.span, Message::Polled(args));
            }
            ExprKind::RemoteLabel { index, .. } => {
                if let Some(index) = index {
                    self.expr(index);
                }
            }
            ExprKind::RemoteVar { index, var, .. } => {
                self.scope.touch_remote(&var.parts[0].name);
                let inner = var.parts.iter().filter_map(|part| part.index.as_ref());
                for index in index.iter().chain(inner) {
                    self.expr(index);
                }
            }
            ExprKind::Number(_)
            | ExprKind::Mtype(_)
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::EmbeddedC(_) => {}
        }
    }

    /// The operands of a chain of the same operator, from left to right. Behind a constant that
    /// decides `&&` or `||`, the rest is not evaluated.
    fn binary(&mut self, op: BinaryOp, expr: &'a Expr) {
        let mut operands = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary(inner, left, right) = &at.kind
            && *inner == op
        {
            mtype_number::comparison(self, op, left, right);
            operands.push(&**right);
            at = left;
        }
        operands.push(at);
        let mut decided = false;
        while let Some(operand) = operands.pop() {
            self.part(decided, operand);
            decided |= match op {
                BinaryOp::And => value(operand) == Some(0),
                BinaryOp::Or => value(operand).is_some_and(|value| value != 0),
                _ => false,
            };
        }
    }

    /// An operand that is perhaps never evaluated.
    fn part(&mut self, never: bool, expr: &'a Expr) {
        self.dead += u32::from(never);
        self.expr(expr);
        self.dead -= u32::from(never);
    }
}
