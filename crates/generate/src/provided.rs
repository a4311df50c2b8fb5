//! Random models around `provided` clauses.
//!
//! Three or four short processes share two flags, a counter and two channels, at least one of them
//! a rendezvous channel. Some may run only while a condition over the shared variables holds, so an
//! assignment of one process decides whether another one sends, listens, or moves at all. The others
//! see that through `else`, `unless`, `timeout` and the number of processes they may start. Processes
//! without a loop are told apart by their assertions, each at its own place.
//!
//! Spin accepts these models.

use crate::Rng;

/// The processes that are there from the start, in the order of their declarations.
const NAMES: [&str; 4] = ["A", "B", "C", "D"];

/// Conditions over the shared variables.
const CONDITIONS: [&str; 8] = [
    "open",
    "!open",
    "shut",
    "!shut",
    "g == 0",
    "g != 1",
    "(open || g == 1)",
    "(open && !shut)",
];

/// What a process mostly does. A model in which all do everything has few independent steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It writes shared variables.
    Writes,
    /// It sends, and sees whether somebody listens.
    Sends,
    /// It receives.
    Listens,
    /// It does a bit of everything.
    Mixes,
}

impl Role {
    /// Whether it leaves the shared variables alone.
    fn talks(self) -> bool {
        matches!(self, Role::Sends | Role::Listens)
    }
}

/// Writes one model.
struct Writer {
    rng: Rng,
    /// Whether the second channel has a slot.
    buffered: bool,
    /// Whether a process starts others.
    starts: bool,
    /// Whether most processes go on for ever.
    cyclic: bool,
    /// Of the process at hand.
    role: Role,
    /// The assignments to `seen` so far, each of another value.
    sites: usize,
}

/// A random model. The same seed gives the same text, on every machine.
pub fn provided_model(seed: u64) -> String {
    Writer::new(seed).model(false)
}

/// The same with a random formula, called `asked`, and with more processes that go on for ever.
pub fn provided_model_with_formula(seed: u64) -> String {
    Writer::new(seed).model(true)
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut rng = Rng::new(seed ^ 0x9_40f1_ded0);
        Writer {
            buffered: rng.percent(40),
            starts: rng.percent(25),
            cyclic: false,
            role: Role::Mixes,
            sites: 0,
            rng,
        }
    }

    fn model(mut self, asks: bool) -> String {
        self.cyclic = asks;
        let slots = usize::from(self.buffered);
        let open = usize::from(self.rng.percent(25));
        let mut text = format!(
            "bool open = {open}, shut;\nbyte g, seen;\n\
             chan c = [0] of {{ bit }};\nchan d = [{slots}] of {{ bit }};\n"
        );
        if self.starts {
            let clause = self.clause(40);
            let body = self.statement(1);
            text += &format!("proctype W(){clause} {{\n  bit x;\n  {body}\n}}\n");
        }
        let mut roles = vec![Role::Writes, Role::Sends, Role::Listens];
        if self.rng.percent(60) {
            roles.push(
                *self
                    .rng
                    .pick(&[Role::Writes, Role::Sends, Role::Listens, Role::Mixes]),
            );
        }
        for name in &NAMES[..roles.len()] {
            let role = roles.swap_remove(self.rng.below(roles.len()));
            text += &self.process(name, role);
        }
        if asks {
            let formula = self.formula();
            text += &format!("ltl asked {{ {formula} }}\n");
        }
        text
    }

    /// A clause for so many in a hundred processes.
    fn clause(&mut self, percent: usize) -> String {
        match self.rng.percent(percent) {
            true if self.rng.percent(40) => " provided (open)".to_owned(),
            true => format!(" provided ({})", self.rng.pick(&CONDITIONS)),
            false => String::new(),
        }
    }

    fn process(&mut self, name: &str, role: Role) -> String {
        self.role = role;
        let clause = self.clause(match self.role {
            Role::Listens => 70,
            Role::Sends => 30,
            _ => 20,
        });
        let endless = self.rng.percent(if self.cyclic { 40 } else { 15 });
        let length = self.rng.range(1, if role == Role::Mixes { 3 } else { 2 });
        let body = match endless {
            true => self.endless(),
            false => self.sequence(length),
        };
        format!("active proctype {name}(){clause} {{\n  bit x;\n  {body}\n}}\n")
    }

    /// What a process does for ever, perhaps after something else.
    fn endless(&mut self) -> String {
        let first = match self.rng.percent(40) {
            true => format!("{};\n  ", self.statement(1)),
            false => String::new(),
        };
        let mut options: Vec<String> = vec![format!(":: {}", self.statement(1))];
        if self.rng.percent(50) {
            options.push(format!(":: {}; {}", self.simple(), self.simple()));
        }
        format!("{first}do {} od", options.join(" "))
    }

    fn sequence(&mut self, length: usize) -> String {
        let mut body: Vec<String> = (0..length).map(|_| self.statement(1)).collect();
        if self.starts && self.rng.percent(30) {
            let at = self.rng.below(body.len() + 1);
            body.insert(at, "run W()".to_owned());
        }
        body.join(";\n  ")
    }

    /// A statement with parts nested at most so deep.
    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 || self.role == Role::Writes || self.rng.percent(40) {
            return self.simple();
        }
        let rest = depth - 1;
        let kind = match self.role == Role::Sends && self.rng.percent(60) {
            true => *self.rng.pick(&[0, 3]),
            false => self.rng.below(9),
        };
        match kind {
            0 | 1 => {
                let guard = self.communication();
                let other = self.consequence();
                format!("if :: {guard} :: else -> {other} fi")
            }
            2 => {
                let (one, other) = (self.guard(), self.guard());
                let last = self.consequence();
                format!("if :: {one} -> {last} :: {other} fi")
            }
            3 | 4 => {
                let body = match self.rng.percent(50) {
                    true => self.consequence(),
                    false => format!("{}; {}", self.statement(rest), self.simple()),
                };
                let escape = match self.rng.percent(70) {
                    true => self.communication(),
                    false => self.guard(),
                };
                format!("{{ {body} }} unless {{ {escape} }}")
            }
            5 => format!("timeout -> {}", self.consequence()),
            6 => {
                let kind = *self.rng.pick(&["atomic", "d_step"]);
                format!("{kind} {{ {}; {} }}", self.write(), self.write())
            }
            7 => format!("atomic {{ {}; {} }}", self.guard(), self.simple()),
            _ => format!("{}; {}", self.simple(), self.write()),
        }
    }

    fn simple(&mut self) -> String {
        match (self.role, self.rng.below(10)) {
            (Role::Writes, 0..8) | (Role::Mixes, 0..4) => self.write(),
            (Role::Sends | Role::Listens, 8 | 9) => "x = 1 - x".to_owned(),
            (Role::Sends | Role::Listens, _) | (Role::Mixes, 4..8) => self.communication(),
            (_, 8) => (*self.rng.pick(&CONDITIONS)).to_owned(),
            _ => self.assertion(),
        }
    }

    /// A write of a shared or, now and then, of a local variable.
    fn write(&mut self) -> String {
        let value = self.rng.below(3);
        match self.rng.below(8) {
            0 | 1 => "open = 1".to_owned(),
            2 => "open = 0".to_owned(),
            3 => "open = !open".to_owned(),
            4 => format!("shut = {}", value % 2),
            5 | 6 => format!("g = {value}"),
            _ => "x = 1 - x".to_owned(),
        }
    }

    fn communication(&mut self) -> String {
        let channel = *self.rng.pick(&["c", "c", "c", "d"]);
        let sends = match self.role {
            Role::Sends => 85,
            Role::Listens => 10,
            _ => 50,
        };
        match self.rng.below(5) {
            _ if self.rng.percent(sends) => format!("{channel} ! {}", self.rng.below(2)),
            0 => format!("{channel} ? {}", self.rng.below(2)),
            _ => format!("{channel} ? x"),
        }
    }

    fn guard(&mut self) -> String {
        match self.role.talks() || self.rng.percent(60) {
            true => self.communication(),
            false => (*self.rng.pick(&CONDITIONS)).to_owned(),
        }
    }

    /// What shows that a branch was taken.
    fn consequence(&mut self) -> String {
        match (self.role, self.rng.below(4)) {
            (Role::Sends | Role::Listens, 0 | 1) if self.cyclic => self.site(),
            (_, 0) | (Role::Sends | Role::Listens, 1) => "assert(false)".to_owned(),
            (_, 1) => self.assertion(),
            (_, 2) => self.communication(),
            (Role::Sends | Role::Listens, _) => self.site(),
            _ => self.write(),
        }
    }

    fn site(&mut self) -> String {
        self.sites += 1;
        format!("seen = {}", self.sites)
    }

    fn assertion(&mut self) -> String {
        let one = self.rng.pick(&CONDITIONS).to_owned();
        format!("assert({one} || {})", self.rng.pick(&CONDITIONS))
    }

    fn formula(&mut self) -> String {
        if self.sites > 0 && self.rng.percent(40) {
            return format!("[] (seen != {})", self.rng.range(1, self.sites));
        }
        // What only communication changes leaves the writes of the flags out of sight.
        let mut proposition = || {
            let site = self.rng.range(1, self.sites.max(1));
            match self.rng.below(5) {
                0 => format!("seen == {site}"),
                1 | 2 => format!("seen != {site}"),
                _ => (*self.rng.pick(&CONDITIONS)).to_owned(),
            }
        };
        let (one, other) = (proposition(), proposition());
        match self.rng.below(6) {
            0 => format!("<> ({one})"),
            1 => format!("[] <> ({one})"),
            2 => format!("<> [] ({one})"),
            3 => format!("[] (({one}) -> <> ({other}))"),
            4 => format!("({one}) U ({other})"),
            _ => format!("([] <> ({one})) -> ([] <> ({other}))"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        for seed in 0..50 {
            assert_eq!(provided_model(seed), provided_model(seed));
        }
    }

    #[test]
    fn many_processes_have_a_clause() {
        let clauses = |seed| provided_model(seed).matches("provided").count();
        let all: usize = (0..100).map(clauses).sum();
        assert!(all > 100, "only {all}");
    }
}
