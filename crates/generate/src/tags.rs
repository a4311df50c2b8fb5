//! Random models with arrays that pids are indices of, and loops over all pids.
//!
//! Either two families of processes belong to one set of names, and what is kept for a process lies
//! in one array for both families, at its pid; or there is one family, of four processes. Pids are kept
//! in shared variables. Loops go through all processes in one move, and in some the order matters: which
//! is the first or the last one of a kind, where the loop ended.

use crate::Rng;

/// Writes one model.
struct Writer {
    rng: Rng,
    /// The least and the greatest pid.
    pids: (usize, usize),
    /// What a process calls itself as an index of arrays with an element for each name.
    me: &'static str,
}

/// A random model. The same seed gives the same text, on every machine.
pub fn tag_model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x7a65_0001);
    let is_one_family = rng.percent(35);
    let writer = Writer {
        rng,
        pids: if is_one_family { (0, 3) } else { (1, 4) },
        me: if is_one_family { "_pid" } else { "me" },
    };
    match is_one_family {
        true => writer.one_family(),
        false => writer.two_families(),
    }
}

impl Writer {
    fn one_family(mut self) -> String {
        let body = self.body();
        format!("byte who, mine[4];\nbit tag[4], flag[4];\nactive [4] proctype P() {{\n{body}}}\n")
    }

    fn two_families(mut self) -> String {
        let mut text = "byte who, mine[3];\nbit tag[5], flag[3];\n".to_owned();
        for name in ["P", "Q"] {
            let body = self.body();
            text += &format!("proctype {name}(byte me) {{\n{body}}}\n");
        }
        let order = *self.rng.pick(&[
            "run P(1); run P(2); run Q(1); run Q(2)",
            "run P(1); run Q(1); run P(2); run Q(2)",
            "run P(1); run P(2); run Q(2); run Q(1)",
        ]);
        text + &format!("init {{ atomic {{ {order} }} }}\n")
    }

    fn body(&mut self) -> String {
        let options = self.rng.range(2, 3);
        let mut text = "  byte j;\n  do\n".to_owned();
        for _ in 0..options {
            let statement = self.statement();
            text += &format!("  :: {statement}\n");
        }
        text + "  od\n"
    }

    fn statement(&mut self) -> String {
        let value = self.rng.below(2);
        let me = self.me;
        match self.rng.below(12) {
            0 => "who = _pid".to_owned(),
            1 => format!("tag[_pid] = {value}"),
            2 => "tag[_pid] = 1 - tag[_pid]".to_owned(),
            3 => format!("mine[{me}] = _pid"),
            4 => format!("flag[{me}] = 1 - flag[{me}]"),
            5 => format!("atomic {{ tag[who] == {value} -> who = _pid }}"),
            6 => format!("atomic {{ mine[{me}] == _pid && tag[_pid] == {value} -> who = _pid }}"),
            7 => format!(
                "atomic {{ tag[mine[{me}]] != flag[{me}] -> tag[mine[{me}]] = flag[{me}] }}"
            ),
            8 => format!(
                "atomic {{ who == _pid -> assert(tag[_pid] == {value} || flag[{me}] == 0) }}"
            ),
            _ => self.round(),
        }
    }

    /// A loop over all processes in one move.
    fn round(&mut self) -> String {
        let (first, last) = self.pids;
        let me = self.me;
        let body = match self.rng.below(5) {
            0 => "if :: tag[j] == 1 -> who = j :: else fi".to_owned(),
            1 => format!("if :: tag[j] == 1 -> flag[{me}] = 1 :: else fi"),
            2 => format!("tag[j] = {}", self.rng.below(2)),
            3 => "if :: tag[j] == 1 -> break :: else fi".to_owned(),
            _ => format!("if :: tag[j] == 1 -> break :: else fi; flag[{me}] = 1"),
        };
        let behind = match self.rng.below(3) {
            0 => format!("; if :: j == {last} -> flag[{me}] = 1 :: else fi"),
            _ => String::new(),
        };
        let kind = self.rng.pick(&["atomic", "d_step"]);
        format!("{kind} {{ for (j : {first} .. {last}) {{ {body} }}{behind}; j = 0 }}")
    }
}
