//! Random sequences that are more than their steps: atomic ones, deterministic ones, those with
//! an escape.

use std::mem::replace;

use crate::control::ends_in_jump;
use crate::feature::Feature;
use crate::generator::{Context, Generator, Region};
use crate::statement::{Body, Kind, Statement};

impl Generator {
    /// A sequence that goes on until it blocks.
    pub fn atomic(&mut self, context: Context) -> Statement {
        let inner = Context {
            region: Region::Atomic,
            ..self.roomy(context)
        };
        let length = self.rng.range(1, 3);
        let mut body = Body::new();
        if self.rng.percent(50)
            && let Some(text) = self.communication(inner)
        {
            body.push(Statement::plain(text));
        }
        let inner = if body.is_empty() {
            inner
        } else {
            inner.after()
        };
        body.extend(self.sequence(inner, length));
        if self.rng.percent(40) {
            self.communicate_inside(inner, &mut body);
        }
        if self.chance(Feature::Goto, 20) && !ends_in_jump(&body) && !context.in_count {
            self.jump_to_end(&mut body);
        }
        Statement::block("atomic", body)
    }

    /// The inside of a sequence whose steps store no states: there is room for some more of them.
    fn roomy(&mut self, context: Context) -> Context {
        self.process.fuel = self.process.fuel.max(0) + 2;
        Context {
            depth: context.depth.min(self.most_depth.saturating_sub(2)),
            ..context
        }
        .inner()
    }

    /// Puts a send or receive between the statements of an atomic sequence.
    pub fn communicate_inside(&mut self, context: Context, body: &mut Body) {
        if let Some(text) = self.communication(context) {
            let last = body.len() - usize::from(ends_in_jump(body));
            let position = self.rng.range(1, last.max(1));
            body.insert(position.min(last), Statement::Plain(text));
        }
    }

    /// Adds a label before the closing brace of an atomic sequence, or on its last statement, and
    /// sometimes a jump to it from within.
    fn jump_to_end(&mut self, body: &mut Body) {
        let label = self.new_label();
        self.process.all_labels.push(label.clone());
        if self.rng.percent(60) {
            let jump = vec![
                Statement::plain(self.guard()),
                Statement::plain(format!("goto {label}")),
            ];
            let otherwise = match self.has(Feature::Exclusive) {
                true => vec![self.assignment()],
                false => vec![Statement::plain("else")],
            };
            body.push(Statement::Choice(Kind::If, vec![jump, otherwise]));
            body.push(self.assignment());
        }
        let last = if self.rng.percent(50) {
            // Without a statement, `goto` behind the block would be a loop that pan refuses.
            self.process.labels.push(label.clone());
            Some(Box::new(self.assignment()))
        } else {
            None
        };
        body.push(Statement::Label(label, last));
    }

    /// A sequence that is one step.
    pub fn d_step(&mut self, context: Context) -> Statement {
        // Spin does not restore a hidden variable that a d_step has written.
        let places = self.scope.places.clone();
        self.scope.places.retain(|place| place.path.root() != "hid");
        let statement = self.visible_d_step(context);
        self.scope.places = places;
        statement
    }

    fn visible_d_step(&mut self, context: Context) -> Statement {
        let inner = Context {
            region: Region::DStep,
            in_loop: false,
            ..self.roomy(context)
        };
        let mut body = Body::new();
        match self.rng.below(3) {
            0 => body.push(Statement::plain(self.guard())),
            1 => {
                if let Some(text) = self.communication(inner) {
                    body.push(Statement::plain(text));
                }
            }
            _ => {}
        }
        if body.is_empty() {
            body.push(self.assignment());
        }
        let length = self.rng.range(1, 3);
        body.extend(self.sequence(inner.after(), length));
        Statement::block("d_step", body)
    }

    /// Spin drops the escape of an option's first statement, after a message.
    pub fn may_unless(&self, context: Context) -> bool {
        self.has(Feature::Unless)
            && !context.guard
            && !self.process.deterministic
            && context.region != Region::DStep
    }

    /// A block with an escape.
    pub fn unless(&mut self, context: Context) -> Statement {
        let inner = context.inner();
        let main = match self.rng.below(6) {
            0 if context.region == Region::Plain => {
                let main = self.choice(Kind::Do, inner);
                // Spin gets confused by a loop with an escape inside such an escape.
                if self.process.in_escape {
                    Statement::block("", vec![main])
                } else {
                    main
                }
            }
            1 if context.region == Region::Plain => self.atomic(inner),
            2 if self.process.fuel > 0 && context.depth < 3 => {
                Statement::block("", vec![self.unless(inner)])
            }
            _ => {
                let length = self.rng.range(1, 3);
                Statement::block("", self.sequence(inner, length))
            }
        };
        let mut escape = Body::new();
        if self.rng.percent(45) {
            let text = self.communication(inner);
            escape.extend(text.map(Statement::Plain));
        }
        if escape.is_empty() {
            let timeout = self.chance(Feature::Timeout, 30);
            let guard = if timeout {
                "timeout".to_owned()
            } else {
                self.guard()
            };
            escape.push(Statement::plain(guard));
        }
        if self.chance(Feature::Atomic, 25) && context.region == Region::Plain {
            // A jump back from here would make an endless atomic sequence.
            escape.push(self.assignment());
            let escape = Statement::block("atomic", escape);
            return Statement::Unless(Box::new(main), Box::new(escape));
        }
        let length = self.rng.below(3);
        let outer = replace(&mut self.process.in_escape, true);
        escape.extend(self.sequence(inner.after(), length));
        self.process.in_escape = outer;
        Statement::Unless(Box::new(main), Box::new(Statement::block("", escape)))
    }
}
