//! Random models of two families over one set of names, with arrays that the pids of both are indices of.
//!
//! To each name belong a process of either family. What is kept for a process lies in one array for
//! both families, at its pid, and pids of both are kept in the same variables.

use crate::Rng;

/// The least and the greatest pid.
const PIDS: (usize, usize) = (1, 4);

/// A random model. The same seed gives the same text, on every machine.
pub fn tag_model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x7a65_0001);
    let size = PIDS.1 + 1;
    let mut text = format!("byte who, mine[3];\nbit tag[{size}], flag[3];\n");
    for name in ["P", "Q"] {
        let options = rng.range(2, 4);
        text += &format!("proctype {name}(byte me) {{\n  do\n");
        for _ in 0..options {
            text += &format!("  :: {}\n", statement(&mut rng));
        }
        text += "  od\n}\n";
    }
    let order = *rng.pick(&[
        "run P(1); run P(2); run Q(1); run Q(2)",
        "run P(1); run Q(1); run P(2); run Q(2)",
        "run P(1); run P(2); run Q(2); run Q(1)",
    ]);
    text + &format!("init {{ atomic {{ {order} }} }}\n")
}

fn statement(rng: &mut Rng) -> String {
    let value = rng.below(2);
    match rng.below(9) {
        0 => "who = _pid".to_owned(),
        1 => format!("tag[_pid] = {value}"),
        2 => "tag[_pid] = 1 - tag[_pid]".to_owned(),
        3 => "mine[me] = _pid".to_owned(),
        4 => "flag[me] = 1 - flag[me]".to_owned(),
        5 => format!("atomic {{ who != 0 && tag[who] == {value} -> who = _pid }}"),
        6 => format!("atomic {{ mine[me] == _pid && tag[_pid] == {value} -> mine[me] = 0 }}"),
        7 => "atomic { mine[me] != 0 -> tag[mine[me]] = flag[me] }".to_owned(),
        _ => format!("atomic {{ who == _pid -> assert(tag[_pid] == {value} || flag[me] == 0) }}"),
    }
}
