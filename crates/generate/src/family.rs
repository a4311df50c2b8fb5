//! Random models in which processes start others.
//!
//! Two processes start children, and these grandchildren, each statement at most once, so that the
//! numbers of processes seldom matter. Some stay for ever and some end; some have channels of their
//! own, which they use, hand on to their children, send to strangers, or look at the numbers of. Numbers of
//! children are kept where nobody reads them, or somebody does. Now and then a number is used as a channel.

use crate::Rng;

/// A proctype to be written.
struct Kind {
    name: &'static str,
    /// The proctypes of which it may start processes: those of the next generation.
    children: &'static [&'static str],
    /// Whether it is there from the start.
    active: bool,
}

const KINDS: [Kind; 6] = [
    Kind {
        name: "E",
        children: &[],
        active: false,
    },
    Kind {
        name: "D",
        children: &[],
        active: false,
    },
    Kind {
        name: "C",
        children: &["D", "E"],
        active: false,
    },
    Kind {
        name: "B",
        children: &["E", "D"],
        active: false,
    },
    Kind {
        name: "Q",
        children: &["B", "C", "E"],
        active: true,
    },
    Kind {
        name: "P",
        children: &["B", "C", "D"],
        active: true,
    },
];

/// Writes one model.
struct Writer {
    rng: Rng,
    /// Whether channels travel as messages.
    travels: bool,
    /// Whether somebody looks at the numbers of processes or of channels.
    looks: bool,
}

/// A random model. The same seed gives the same text, on every machine.
pub fn family_model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0xfa_311e5);
    let travels = rng.percent(50);
    let looks = rng.percent(15);
    Writer {
        rng,
        travels,
        looks,
    }
    .model()
}

impl Writer {
    fn model(mut self) -> String {
        let capacity = self.rng.below(2);
        let mut text = format!("byte g, h, kept;\nchan box = [{capacity}] of {{ byte }};\n");
        if self.travels {
            text += "chan post = [1] of { chan };\n";
        }
        for kind in &KINDS {
            text += &self.proctype(kind);
        }
        text
    }

    fn proctype(&mut self, kind: &Kind) -> String {
        let owns = self.rng.percent(40);
        let mut text = match kind.active {
            true => format!("active proctype {}() {{\n", kind.name),
            false => format!("proctype {}(byte me; chan up) {{\n", kind.name),
        };
        text += "  byte x;\n";
        if owns {
            let capacity = usize::from(self.rng.percent(70));
            text += &format!("  chan own = [{capacity}] of {{ byte }};\n");
        }
        if self.travels {
            text += "  chan found;\n";
        }
        let starts = match kind.children {
            [] => 0,
            _ => self.rng.range(usize::from(kind.active), 2),
        };
        let mut body: Vec<String> = (0..starts).map(|_| self.start(kind, owns)).collect();
        for _ in 0..self.rng.below(3) {
            let at = self.rng.below(body.len() + 1);
            let statement = self.statement(kind, owns);
            body.insert(at, statement);
        }
        if self.rng.percent(40) {
            body.push(self.endless(kind, owns));
        }
        if body.is_empty() {
            body.push("skip".to_owned());
        }
        let body = body.join(";\n  ");
        text += &match self.rng.percent(25) && !body.contains("do ::") {
            true => format!("  atomic {{\n  {body}\n  }}\n}}\n"),
            false => format!("  {body}\n}}\n"),
        };
        text
    }

    /// Starts a child.
    fn start(&mut self, kind: &Kind, owns: bool) -> String {
        let child = *self.rng.pick(kind.children);
        let channel = match (owns, kind.active) {
            _ if self.looks && self.rng.percent(20) => *self.rng.pick(&["2", "3", "4"]),
            (true, _) if self.rng.percent(60) => "own",
            (_, false) if self.rng.percent(60) => "up",
            _ => "box",
        };
        let run = format!("run {child}({}, {channel})", self.rng.below(3));
        match self.rng.below(10) {
            0 | 1 => format!("kept = {run}"),
            2 if self.looks => format!("g = {run}"),
            3 => format!("if :: {run} :: h = 1 fi"),
            _ => run,
        }
    }

    /// A channel that a process knows.
    fn channel(&mut self, kind: &Kind, owns: bool) -> &'static str {
        match self.rng.below(4) {
            0 | 1 if owns => "own",
            2 if !kind.active => "up",
            _ => "box",
        }
    }

    fn statement(&mut self, kind: &Kind, owns: bool) -> String {
        let channel = self.channel(kind, owns);
        let value = self.rng.below(3);
        match self.rng.below(if self.looks { 14 } else { 12 }) {
            0 | 1 => format!("{channel} ! {value}"),
            2 | 3 => format!("{channel} ? x"),
            4 => format!("g = {value}"),
            5 => format!("x = (x + {value}) % 3"),
            6 => format!("assert(g != {value} || h == 0)"),
            7 => format!("if :: g == {value} -> h = 1 :: else fi"),
            8 | 9 if self.travels && owns => "post ! own".to_owned(),
            10 if self.travels => "post ? found; found ! 1".to_owned(),
            12 => format!("assert(_pid != {})", self.rng.range(3, 5)),
            13 if owns => format!("assert(own != {})", self.rng.range(3, 5)),
            _ => "h = g".to_owned(),
        }
    }

    /// What a process does for ever.
    fn endless(&mut self, kind: &Kind, owns: bool) -> String {
        let channel = self.channel(kind, owns);
        match self.rng.below(4) {
            0 => "false".to_owned(),
            1 => format!("end: do :: {channel} ? x od"),
            2 => "do :: x = 1 - x od".to_owned(),
            _ => format!("do :: {channel} ! 2 :: h == 1 -> g = 0 od"),
        }
    }
}
