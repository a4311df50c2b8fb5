//! Random models whose processes can mostly be exchanged.
//!
//! A few processes of one or two proctypes know their own name and the names of others: in
//! variables, as indices, in messages, in tables. What they do with names is mostly nothing but
//! what every name allows; now and then a statement slips in that tells one process from the
//! others, and then nobody may be exchanged.

use crate::Rng;

/// Writes one model.
struct Writer {
    rng: Rng,
    /// The number of processes of a type.
    count: usize,
    /// The least name.
    base: usize,
    /// How a process knows its name.
    naming: Naming,
    /// Whether there is a second proctype.
    twice: bool,
    has_channels: bool,
    has_table: bool,
    /// Whether a statement tells processes apart.
    odd: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Pid,
    Parameter,
}

/// A random model. The same seed gives the same text, on every machine.
pub fn symmetric_model(seed: u64) -> String {
    Writer::new(seed).model(false)
}

/// The same with a random formula, called `asked`, that means all processes alike.
pub fn symmetric_model_with_formula(seed: u64) -> String {
    Writer::new(seed).model(true)
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut rng = Rng::new(seed ^ 0x5e7_5e7);
        let naming = *rng.pick(&[Naming::Pid, Naming::Parameter]);
        let twice = naming == Naming::Parameter && rng.percent(35);
        Writer {
            count: if twice { 2 } else { rng.range(2, 3) },
            base: match naming {
                Naming::Pid => 0,
                Naming::Parameter => rng.below(2),
            },
            naming,
            twice,
            has_channels: rng.percent(50),
            has_table: rng.percent(30),
            odd: rng.percent(15),
            rng,
        }
    }

    /// The names that there are.
    fn names(&self) -> std::ops::Range<usize> {
        self.base..self.base + self.count
    }

    /// A name that nobody has.
    fn nobody(&self) -> usize {
        match self.base {
            0 => self.count,
            base => base - 1,
        }
    }

    fn me(&self) -> &'static str {
        match self.naming {
            Naming::Pid => "_pid",
            Naming::Parameter => "me",
        }
    }

    fn model(mut self, asks: bool) -> String {
        let size = self.base + self.count;
        let owner = match self.rng.percent(60) {
            true => format!(" = {}", self.nobody()),
            false => String::new(),
        };
        let mut text = format!(
            "byte owner{owner};\nbyte flag[{size}];\nbyte count;\nbyte link[{size}];\nbool all;\n"
        );
        if self.has_table {
            text += &format!("typedef Row {{ bit to[{size}] }}\nRow table[{size}];\n");
        }
        if self.has_channels {
            let capacity = self.rng.range(0, 2);
            text += &format!("chan wire = [{capacity}] of {{ byte, bit }};\n");
            text += &format!("chan box[{size}] = [1] of {{ byte }};\n");
        }
        let first = self.proctype("P");
        text += &first;
        if self.twice {
            let second = self.proctype("Q");
            text += &second;
        }
        if self.naming == Naming::Parameter {
            text += &self.init();
        }
        if asks {
            text += &self.formula();
        }
        text
    }

    fn init(&mut self) -> String {
        let last = self.base + self.count - 1;
        let mut runs = "run P(i)".to_owned();
        if self.twice {
            runs += "; run Q(i)";
        }
        format!(
            "init {{ byte i; atomic {{ for (i : {} .. {last}) {{ {runs} }} }} }}\n",
            self.base
        )
    }

    fn proctype(&mut self, name: &str) -> String {
        let head = match self.naming {
            Naming::Pid => format!("active [{}] proctype {name}() {{\n", self.count),
            Naming::Parameter => format!("proctype {name}(byte me) {{\n"),
        };
        let mut text = head + "  byte other, x, j;\n";
        let ends = self.rng.percent(30);
        let statements = self.rng.range(2, 4);
        if ends {
            for _ in 0..statements {
                text += &format!("  {};\n", self.statement());
            }
            text += "  skip\n";
        } else {
            text += "  do\n";
            let options = self.rng.range(1, 2);
            for _ in 0..options {
                let body: Vec<String> = (0..statements).map(|_| self.statement()).collect();
                text += &format!("  :: {}\n", body.join("; "));
            }
            text += "  od\n";
        }
        text + "}\n"
    }

    fn statement(&mut self) -> String {
        let me = self.me();
        let nobody = self.nobody();
        if self.odd && self.rng.percent(25) {
            self.odd = false;
            let name = self.rng.range(self.base, self.base + self.count - 1);
            return match self.rng.below(5) {
                0 => format!("flag[{name}] = 1"),
                1 => format!("owner = {name}"),
                2 => "x = owner + 1; x = 0".to_owned(),
                3 => format!("({me} >= owner)"),
                _ => format!("if :: {me} == {name} -> count = 0 :: else fi"),
            };
        }
        let choices = [
            (3, 0),
            (3, 1),
            (3, 2),
            (2, 3),
            (2, 4),
            (2, 5),
            (2, 6),
            (2, 7),
            (2, 8),
            (1, 9),
            (1, 10),
            (1, 11),
            (if self.has_channels { 4 } else { 0 }, 12),
            (if self.has_channels { 4 } else { 0 }, 13),
            (if self.has_table { 3 } else { 0 }, 14),
            (1, 15),
        ];
        match self.rng.weighted(&choices) {
            0 => format!("flag[{me}] = {}", self.rng.below(2)),
            1 => format!("owner = {me}"),
            2 => format!("(owner != {me})"),
            3 => format!("atomic {{ (owner == {nobody}) -> owner = {me} }}"),
            4 => format!("if :: owner == {me} -> owner = {nobody} :: else fi"),
            5 => "other = owner".to_owned(),
            6 => format!("if :: other == owner -> flag[{me}] = 1 :: else -> other = {me} fi"),
            7 => format!("link[{me}] = other"),
            8 => format!("({})", self.quantified()),
            9 => format!("assert(owner == {nobody} || flag[{me}] == 0 || owner != {me})"),
            10 => "if :: count < 2 -> count++ :: else -> count = 0 fi".to_owned(),
            11 => format!("assert({})", self.quantified()),
            12 => self.send(),
            13 => self.receive(),
            14 => match self.rng.below(3) {
                0 => format!("table[{me}].to[{me}] = 1 - table[{me}].to[{me}]"),
                1 => format!("if :: other != {nobody} -> table[{me}].to[other] = 1 :: else fi"),
                _ => format!("(table[{me}].to[{me}] == 0)"),
            },
            _ => self.round(),
        }
    }

    fn send(&mut self) -> String {
        let me = self.me();
        let nobody = self.nobody();
        match self.rng.below(3) {
            0 => format!("wire!{me},{}", self.rng.below(2)),
            1 => format!("box[{me}]!{me}"),
            _ => format!(
                "if :: other != {nobody} && nfull(box[other]) -> box[other]!{me} :: else fi"
            ),
        }
    }

    fn receive(&mut self) -> String {
        let me = self.me();
        match self.rng.below(4) {
            0 => "wire?other,x".to_owned(),
            1 => format!("wire?eval({me}),x"),
            2 => "wire??other,1".to_owned(),
            _ => format!("box[{me}]?other"),
        }
    }

    /// Something about all processes.
    fn quantified(&mut self) -> String {
        let (about, joint) = match self.rng.below(4) {
            0 => ("flag[%] == 0", " && "),
            1 => ("flag[%] == 1", " || "),
            2 => ("flag[%] + link[%] != 7", " && "),
            _ => ("(owner != % || flag[%] == 1)", " && "),
        };
        let names = self.names();
        let parts: Vec<String> = names
            .map(|name| about.replace('%', &name.to_string()))
            .collect();
        parts.join(joint)
    }

    /// A loop over all processes in one go.
    fn round(&mut self) -> String {
        let last = self.base + self.count - 1;
        let me = self.me();
        let body = match self.rng.below(4) {
            0 => "flag[j] = 0".to_owned(),
            1 => "if :: flag[j] == 1 -> all = false :: else fi".to_owned(),
            2 => format!("if :: j != {me} -> flag[j] = 1 :: else fi"),
            _ => "count = (flag[j] == 1 -> 1 : count)".to_owned(),
        };
        let kind = self.rng.pick(&["atomic", "d_step"]);
        format!(
            "{kind} {{ all = true; for (j : {} .. {last}) {{ {body} }} }}",
            self.base
        )
    }

    fn formula(&mut self) -> String {
        let nobody = self.nobody();
        let mut atom = || match self.rng.below(4) {
            0 => format!("(owner == {nobody})"),
            1 => "(count > 0)".to_owned(),
            2 => "all".to_owned(),
            _ => format!("({})", self.quantified()),
        };
        let (a, b) = (atom(), atom());
        let formula = match self.rng.below(6) {
            0 => format!("[] ({a} -> <> {b})"),
            1 => format!("<> {a}"),
            2 => format!("[] <> {a}"),
            3 => format!("{a} U {b}"),
            4 => format!("<> [] {a} || [] <> {b}"),
            _ => format!("[] {a}"),
        };
        format!("ltl asked {{ {formula} }}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        for seed in 0..50 {
            assert_eq!(symmetric_model(seed), symmetric_model(seed));
        }
    }
}
