//! Random statements with parts, and choices in particular.

use crate::feature::Feature;
use crate::generator::{Context, Generator, Region};
use crate::statement::{Body, Kind, Statement};

#[derive(Clone, Copy)]
enum Compound {
    If,
    Do,
    Atomic,
    DStep,
    Unless,
    For,
    Block,
    Conditional,
}

impl Generator {
    /// `length` statements, or a few more where a guard comes with what it guards.
    pub fn sequence(&mut self, context: Context, length: usize) -> Body {
        let mark = self.scope.mark();
        let mut body = Body::new();
        let mut context = context;
        for _ in 0..length {
            if context.follows && self.chance(Feature::Declaration, 15) {
                body.push(self.declaration());
            }
            let statements = self.statement(context);
            body.extend(statements);
            context = context.after();
            if ends_in_jump(&body) {
                break;
            }
        }
        self.scope.reset(mark);
        body
    }

    /// A statement, perhaps with a label.
    pub fn statement(&mut self, context: Context) -> Body {
        self.process.fuel -= 1;
        let deep = context.depth >= self.most_depth;
        let compound = self.process.fuel > 0 && !deep && self.rng.percent(40);
        let mut body = if compound {
            self.compound(context)
        } else {
            self.simple(context)
        };
        let may_label = context.region != Region::DStep && !context.in_count && context.follows;
        let wanted = self.chance(Feature::Goto, 22) || self.chance(Feature::LabelKinds, 12);
        if may_label && wanted && labelable(&body[0]) {
            let label = self.new_label();
            if context.region == Region::Plain || self.rng.percent(50) {
                self.process.labels.push(label.clone());
            }
            // A jump has no state of its own to refer to.
            if !ends_in_jump(&body[..1]) {
                self.process.all_labels.push(label.clone());
            }
            let first = body.remove(0);
            body.insert(0, Statement::Label(label, Some(Box::new(first))));
        }
        body
    }

    fn compound(&mut self, context: Context) -> Body {
        let on = |yes: bool, weight: usize| if yes { weight } else { 0 };
        let plain = context.region == Region::Plain;
        let d_step = context.region == Region::DStep;
        let kinds = [
            (6, Compound::If),
            (on(!d_step, 4), Compound::Do),
            (on(plain && self.has(Feature::Atomic), 8), Compound::Atomic),
            (on(!d_step && self.has(Feature::DStep), 6), Compound::DStep),
            (on(self.may_unless(context), 14), Compound::Unless),
            (on(self.has(Feature::For), 14), Compound::For),
            (on(self.has(Feature::Declaration), 5), Compound::Block),
            (
                on(context.follows && self.has(Feature::Conditional), 10),
                Compound::Conditional,
            ),
        ];
        match self.rng.weighted(&kinds) {
            Compound::If => vec![self.choice(Kind::If, context)],
            Compound::Do if plain => vec![self.choice(Kind::Do, context)],
            Compound::Do | Compound::For => self.counting_loop(context),
            Compound::Atomic => vec![self.atomic(context)],
            Compound::DStep => vec![self.d_step(context)],
            Compound::Unless => vec![self.unless(context)],
            Compound::Block => vec![self.block(context)],
            Compound::Conditional => vec![self.conditional(context)],
        }
    }

    /// `if` or `do` with two or three options.
    pub fn choice(&mut self, kind: Kind, context: Context) -> Statement {
        self.choice_of(kind, context, Vec::new())
    }

    /// `if` or `do` with the given options and perhaps more.
    pub fn choice_of(&mut self, kind: Kind, context: Context, mut options: Vec<Body>) -> Statement {
        let d_step = context.region == Region::DStep;
        let deterministic = d_step || self.process.deterministic;
        let may_else = deterministic || !self.has(Feature::Exclusive);
        let has_else = !context.no_else && may_else && (deterministic || self.rng.percent(35));
        let inner = Context {
            in_loop: context.in_loop || (kind == Kind::Do && !self.process.immortal),
            no_else: has_else || context.no_else || !may_else,
            guard: true,
            ..context.inner()
        };
        let count = match options.len() {
            0 if deterministic => 1,
            0 => self.rng.range(1, 3),
            1 | 2 if !deterministic => 1,
            _ => 0,
        };
        let mut inner_else = inner;
        for _ in 0..count {
            let option = self.option(kind, inner_else);
            // Only one of the merged choices may offer an `else`.
            if !matches!(option[0], Statement::Plain(_)) {
                inner_else.no_else = true;
            }
            options.push(option);
        }
        let leaves = kind == Kind::Do && inner.in_loop && !deterministic;
        if leaves && self.rng.percent(60) {
            let may_else = has_else || !inner_else.no_else;
            options.push(self.leaving_option(may_else));
        } else if has_else {
            options.push(self.else_option(kind, inner));
        }
        let last = options.len() - 1;
        if last > 0 && self.rng.percent(25) {
            let other = self.rng.below(last);
            options.swap(other, last);
        }
        Statement::Choice(kind, options)
    }

    /// An option: a guard and what it guards.
    fn option(&mut self, kind: Kind, context: Context) -> Body {
        let mut body = self.option_start(kind, context);
        let after = context.after();
        let length = match self.rng.below(8) {
            0 | 1 => 0,
            2..6 => 1,
            _ => 2,
        };
        if !ends_in_jump(&body) {
            body.extend(self.sequence(after, length));
        }
        if !ends_in_jump(&body) && context.may_break() && self.rng.percent(12) {
            body.push(Statement::plain("break"));
        }
        body
    }

    fn option_start(&mut self, kind: Kind, context: Context) -> Body {
        if context.region == Region::DStep || self.process.deterministic {
            return vec![Statement::plain(self.truth(1).text())];
        }
        let plain = context.region == Region::Plain;
        if self.process.fuel > 0 && context.depth < self.most_depth {
            if self.chance(Feature::Flatten, 25) {
                return match self.rng.below(4) {
                    0 if plain => vec![self.choice(Kind::Do, context)],
                    1 => vec![self.block(context)],
                    _ => vec![self.choice(Kind::If, context)],
                };
            }
            if plain && self.chance(Feature::Atomic, 25) {
                return vec![self.atomic(context)];
            }
            if self.chance(Feature::DStep, 15) {
                return vec![self.d_step(context)];
            }
        }
        if context.may_break() && kind == Kind::If && self.rng.percent(6) {
            return vec![Statement::plain("break")];
        }
        let may_jump = self.has(Feature::Goto) && !self.process.immortal;
        if may_jump && context.depth > 1 && self.rng.percent(6) {
            self.process.jumps_to_end = true;
            return vec![Statement::plain("goto done")];
        }
        if self.rng.percent(60)
            && let Some(text) = self.communication(context)
        {
            return vec![Statement::plain(text)];
        }
        match self.rng.below(10) {
            0..3 => vec![self.assignment()],
            3 if self.has(Feature::Timeout) => vec![Statement::plain("timeout")],
            4 if self.process.spawns => self.run(context),
            _ => vec![Statement::plain(self.guard())],
        }
    }

    /// An option that ends a loop.
    fn leaving_option(&mut self, may_else: bool) -> Body {
        let mut body = Body::new();
        match self.rng.below(6) {
            0 => {}
            1 if may_else => body.push(Statement::plain("else")),
            2 if self.has(Feature::Timeout) => body.push(Statement::plain("timeout")),
            _ => body.push(Statement::plain(self.guard())),
        }
        body.push(Statement::plain("break"));
        body
    }

    fn else_option(&mut self, kind: Kind, context: Context) -> Body {
        let mut body = vec![Statement::plain("else")];
        let leaves = kind == Kind::Do && self.rng.percent(50);
        if leaves && context.may_break() {
            body.push(Statement::plain("break"));
        } else if self.rng.percent(60) {
            body.extend(self.sequence(context.after(), 1));
        }
        body
    }

    /// A block, with a variable of its own where declarations are on.
    fn block(&mut self, context: Context) -> Statement {
        let inner = context.inner();
        let mark = self.scope.mark();
        let mut body = Body::new();
        let mut at = inner;
        if self.has(Feature::Declaration) {
            // Blocks side by side use the same name, blocks inside each other never do.
            body.push(self.declaration_of(&format!("v{}", self.process.blocks)));
            at = inner.after();
        }
        self.process.blocks += 1;
        let length = self.rng.range(1, 2);
        body.extend(self.sequence(at, length));
        self.scope.reset(mark);
        self.process.blocks -= 1;
        Statement::block("", body)
    }

    /// A statement that the preprocessor keeps and another one that it drops.
    fn conditional(&mut self, context: Context) -> Statement {
        let on = self.simple(context.after());
        let off = vec![self.assignment()];
        if self.rng.percent(50) {
            let heads = [
                "#ifdef EXTRA",
                "#if EXTRA > 0",
                "#if defined(EXTRA) && !defined(OTHER)",
            ];
            Statement::Conditional(self.rng.pick(&heads).to_string(), on, off)
        } else {
            let heads = ["#ifndef EXTRA", "#if EXTRA == 2", "#if 0"];
            Statement::Conditional(self.rng.pick(&heads).to_string(), off, on)
        }
    }
}

/// Is the end of the list never reached?
pub fn ends_in_jump(body: &[Statement]) -> bool {
    matches!(body.last(), Some(Statement::Plain(text)) if text == "break" || text.starts_with("goto "))
}

/// May a label stand before the statement?
fn labelable(statement: &Statement) -> bool {
    match statement {
        // `L: skip; goto L` would be a loop that pan refuses.
        Statement::Plain(text) => text != "else" && text != "skip",
        Statement::Label(..) | Statement::Conditional(..) | Statement::Unless(..) => false,
        // A jump there would be one into the d_step.
        Statement::Block(head, _) => head != "d_step",
        Statement::Choice(..) => true,
    }
}
