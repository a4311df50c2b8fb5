//! Random statements without parts.

use crate::feature::Feature;
use crate::generator::{Context, Generator, Macro, Region};
use crate::scope::{Base, Channel, Field, Place};
use crate::statement::{Body, Statement};

#[derive(Clone, Copy)]
enum Simple {
    Assign,
    Guard,
    Count,
    Communicate,
    ChannelAssign,
    Assert,
    Print,
    Skip,
    Jump,
    Select,
    Call,
    Run,
    Timeout,
    Priority,
    Scratch,
    ChannelLoop,
}

impl Generator {
    /// A statement without parts; sometimes a guard and the assignment it protects.
    pub fn simple(&mut self, context: Context) -> Body {
        let on = |yes: bool, weight: usize| if yes { weight } else { 0 };
        let interruptible = context.region != Region::DStep;
        let talks = !self.process.sends.is_empty() || !self.process.receives.is_empty();
        let kinds = [
            (8, Simple::Assign),
            (on(interruptible, 1), Simple::Guard),
            (on(interruptible, 2), Simple::Count),
            (on(interruptible && talks, 6), Simple::Communicate),
            (
                on(self.has(Feature::ChannelValue), 2),
                Simple::ChannelAssign,
            ),
            (on(self.has(Feature::Assert), 4), Simple::Assert),
            (on(self.has(Feature::Print), 4), Simple::Print),
            (on(context.follows, 1), Simple::Skip),
            (on(self.may_jump(context), 4), Simple::Jump),
            (on(self.may_select(context), 5), Simple::Select),
            (on(!self.inlines.is_empty(), 5), Simple::Call),
            (on(self.process.spawns && interruptible, 6), Simple::Run),
            (
                on(self.has(Feature::Timeout) && interruptible, 1),
                Simple::Timeout,
            ),
            (on(self.has(Feature::Priority), 3), Simple::Priority),
            (
                on(self.has(Feature::Visibility) && interruptible, 3),
                Simple::Scratch,
            ),
            (
                on(self.has(Feature::StructMessage) && interruptible, 2),
                Simple::ChannelLoop,
            ),
        ];
        match self.rng.weighted(&kinds) {
            Simple::Assign => vec![self.assignment()],
            Simple::Guard => vec![Statement::plain(self.guard())],
            Simple::Count => self.counted(),
            Simple::Communicate => match self.communication(context) {
                Some(text) => vec![Statement::plain(text)],
                None => vec![self.assignment()],
            },
            Simple::ChannelAssign => vec![self.channel_assignment()],
            Simple::Assert => vec![self.assertion()],
            Simple::Print => vec![self.print()],
            Simple::Skip if self.chance(Feature::Flatten, 20) => vec![Statement::plain("else")],
            Simple::Skip => vec![Statement::plain("skip")],
            Simple::Jump => vec![self.jump(context)],
            Simple::Select => vec![self.select()],
            Simple::Call => vec![self.call(context)],
            Simple::Run => self.run(context),
            Simple::Timeout => vec![Statement::plain("timeout")],
            Simple::Priority => vec![self.set_priority()],
            Simple::Scratch => vec![self.scratch()],
            Simple::ChannelLoop => vec![self.channel_loop(context)],
        }
    }

    /// An assignment. There is always a global to assign to.
    pub fn assignment(&mut self) -> Statement {
        let place = self.place(|place| place.writable);
        let place = place.expect("a global is declared first");
        let wraps = place.wraps();
        let target = self.reach(&place.path);
        let tiny = place.base.is_tiny() && wraps;
        if tiny && self.rng.percent(15) {
            let operator = *self.rng.pick(&["++", "--"]);
            return Statement::plain(format!("{target}{operator}"));
        }
        let number = place.base.is_number() && !place.base.is_tiny() && place.readable;
        if number && self.rng.percent(30) {
            if self.macros.contains(&Macro::Next) && self.rng.percent(50) {
                return Statement::plain(format!("{target} = NEXT({target})"));
            }
            let modulus = self.rng.range(2, 4);
            return Statement::plain(format!("{target} = ({target} + 1) % {modulus}"));
        }
        let value = self.value_for(place.base, wraps);
        Statement::plain(format!("{target} = {value}"))
    }

    /// A guard that keeps a variable small, and the step up or down.
    fn counted(&mut self) -> Body {
        let wide_enough = |place: &Place| {
            // Messages would keep what the race makes of this one.
            place.path.root() != "s_m"
                && place.writable
                && place.readable
                && place.base.is_number()
                && !place.base.is_tiny()
        };
        let Some(place) = self.place(wide_enough) else {
            return vec![self.assignment()];
        };
        let target = self.reach_constant(&place.path);
        let most = self.rng.range(1, 3);
        // Others may change the variable between the guard and the step, so a guard like `x > 0`
        // would let an unsigned variable run through all its values; so would `x < 3` with a
        // signed one that somebody makes very small.
        let natural = place.base.is_natural() || !self.has(Feature::Wide);
        let (guard, step) = if natural && self.rng.percent(65) {
            (format!("{target} < {most}"), format!("{target}++"))
        } else if self.rng.percent(50) {
            (format!("{target} == {}", most - 1), format!("{target}++"))
        } else {
            (format!("{target} == {most}"), format!("{target}--"))
        };
        vec![Statement::plain(guard), Statement::plain(step)]
    }

    fn channel_assignment(&mut self) -> Statement {
        let variable = self.channel(|channel| channel.variable && channel.is_plain());
        let source = self.channel(|channel| channel.is_plain() && channel.global);
        let (Some(variable), Some(source)) = (variable, source) else {
            return self.assignment();
        };
        let source = self.reach_constant(&source.path);
        Statement::plain(format!("{} = {source}", variable.path.pieces[0]))
    }

    fn assertion(&mut self) -> Statement {
        let condition = self.truth(1).text();
        let text = match self.rng.below(5) {
            0 => format!("assert({condition})"),
            1 => "assert(_pid < 9 && _nr_pr > 0)".to_owned(),
            2 => format!("assert {}", self.truth(0).operand_text()),
            _ => format!("assert({condition} || {})", self.truth(1).operand_text()),
        };
        Statement::plain(text)
    }

    fn print(&mut self) -> Statement {
        let named = self.place(|place| place.readable && place.base == Base::Mtype);
        let text = match (self.rng.below(4), named.clone()) {
            (0, _) if self.has(Feature::Mtype) => match named {
                Some(place) => format!("printm({})", self.reach(&place.path)),
                None => "printm(red)".to_owned(),
            },
            (1, Some(place)) => format!("printf(\"%e\\n\", {})", self.reach(&place.path)),
            (0 | 2, _) => "printf(\"here\\n\")".to_owned(),
            _ => format!("printf(\"%d %d\\n\", _pid, {})", self.number(1).text()),
        };
        Statement::plain(text)
    }

    fn may_jump(&self, context: Context) -> bool {
        let backward = context.region == Region::Plain && !self.process.labels.is_empty();
        let target = backward || !self.process.immortal;
        self.has(Feature::Goto) && target && context.region != Region::DStep && context.depth > 0
    }

    /// A jump: forward to the end of the process, or, where states are stored, also backward.
    fn jump(&mut self, context: Context) -> Statement {
        let backward = context.region == Region::Plain && !self.process.labels.is_empty();
        let label = if backward && (self.process.immortal || self.rng.percent(65)) {
            self.rng.pick(&self.process.labels).clone()
        } else {
            self.process.jumps_to_end = true;
            "done".to_owned()
        };
        Statement::plain(format!("goto {label}"))
    }

    fn may_select(&self, context: Context) -> bool {
        self.has(Feature::Select) && context.region == Region::Plain && !self.process.deterministic
    }

    fn select(&mut self) -> Statement {
        let plain = |place: &Place| {
            place.writable
                && place.readable
                && place.path.holes.is_empty()
                && !place.path.pieces[0].contains('.')
                && matches!(place.base, Base::Byte | Base::Int | Base::Short)
        };
        let Some(place) = self.place(plain) else {
            return self.assignment();
        };
        let low = self.rng.below(2);
        let high = match self.rng.below(4) {
            0 => format!("{} + (_pid & 1)", low + 1),
            _ => (low + self.rng.range(0, 2)).to_string(),
        };
        Statement::plain(format!(
            "select ({} : {low} .. {high})",
            place.path.pieces[0]
        ))
    }

    /// The use of an inline.
    pub fn call(&mut self, context: Context) -> Statement {
        let inline = self.rng.pick(&self.inlines).clone();
        if inline.blocks && !context.may_block() {
            return self.assignment();
        }
        let target = |place: &Place| {
            place.writable && place.readable && place.base.is_number() && place.wraps()
        };
        let mut arguments = Vec::new();
        if inline.assigns {
            let Some(place) = self.place(target) else {
                return self.assignment();
            };
            arguments.push(self.reach_constant(&place.path));
        }
        if inline.takes_value {
            // Spin trips over a conditional expression here.
            let value = match self.number(1).text() {
                text if text.contains("->") => self.number(0).text(),
                text => text,
            };
            arguments.push(value);
        }
        Statement::plain(format!("{}({})", inline.name, arguments.join(", ")))
    }

    /// Runs a worker; a guard keeps the number of processes small.
    pub fn run(&mut self, context: Context) -> Body {
        let worker = self.rng.pick(&self.workers).clone();
        let mut arguments = Vec::new();
        for parameter in &worker.parameters {
            arguments.push(match parameter.field {
                Field::Number(base) if base.is_number() => self.rng.below(3).to_string(),
                // A variable is often "wrong arg type" to Spin.
                Field::Number(base) => self.rng.pick(base.names()).to_string(),
                _ => {
                    let wanted = |channel: &Channel| channel.is_plain() && channel.global;
                    let channel = self.channel(wanted).expect("there is a plain channel");
                    self.reach_constant(&channel.path)
                }
            });
        }
        let mut run = format!("run {}({})", worker.name, arguments.join(", "));
        if self.chance(Feature::Priority, 50) {
            run.push_str(&format!(" priority {}", self.rng.range(1, 4)));
        }
        let number = |place: &Place| place.writable && matches!(place.base, Base::Byte | Base::Pid);
        if let Some(place) = self.place(number)
            && self.rng.percent(25)
        {
            run = format!("{} = {run}", self.reach_constant(&place.path));
        }
        let guard = Statement::plain(format!("_nr_pr < {}", self.rng.range(3, 4)));
        let body = vec![guard, Statement::plain(run)];
        if context.region == Region::Plain && self.rng.percent(50) {
            return vec![Statement::block("atomic", body)];
        }
        body
    }

    /// The use of the hidden variable: what is read was written in the same step.
    fn scratch(&mut self) -> Statement {
        let write = format!("hid = {}", self.small().text());
        let place = self.place(|place| place.writable && place.readable && place.base.is_number());
        let target = place.expect("a global is declared first");
        let wraps = target.wraps();
        let target = self.reach_constant(&target.path);
        let read = if wraps { "(hid + 1) % 3" } else { "hid == 1" };
        let body = [write, format!("{target} = {read}")].map(Statement::Plain);
        Statement::block("atomic", body.to_vec())
    }

    fn set_priority(&mut self) -> Statement {
        let priority = self.rng.range(1, 3);
        Statement::plain(match self.rng.below(3) {
            0 => format!("_priority = {priority}"),
            1 => format!("set_priority(_pid, {priority})"),
            _ => format!("set_priority(0, {priority})"),
        })
    }

    /// A loop over the messages in the channel of structures.
    fn channel_loop(&mut self, context: Context) -> Statement {
        let inner = Context {
            in_loop: false,
            in_count: true,
            no_else: false,
            ..context.inner()
        };
        let structure = |channel: &Channel| channel.fields == [Field::Struct];
        let channel = self.channel(structure).expect("there is one");
        let head = format!("for (s_m in {})", channel.path.pieces[0]);
        let body = if context.region == Region::Plain && self.rng.percent(30) {
            self.simple(inner.after())
        } else {
            vec![self.assignment()]
        };
        Statement::block(&head, body)
    }
}
