//! Random models with never claims of several states.
//!
//! The claims see what lies in no variable: who is there, what a channel holds, whether only a
//! timeout or nobody lets the processes go on, labels, and who moved last. The processes come and
//! go, shake hands, are inside atomic sequences, wait for timeouts, and sometimes fail.

use crate::Rng;

/// A random model with a never claim. The same seed gives the same text, on every machine.
pub fn claimed_model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x51c3_97a0);
    let mut text = "byte a, b, c[2];\nchan q = [1] of { byte };\nchan r = [0] of { byte };\n\
                    proctype Child(byte k) {\n  byte t;\n"
        .to_owned();
    text += &format!("  {}\n}}\n", lines(&mut rng, 2));
    for name in ["P", "Q"] {
        text += &format!("active proctype {name}() {{\n  byte t;\n");
        let count = rng.range(2, 4);
        let body = match rng.below(3) {
            0 => lines(&mut rng, count),
            _ => {
                let options: Vec<String> = (0..count)
                    .map(|_| format!("  :: {}\n", statement(&mut rng)))
                    .collect();
                let label = *rng.pick(&["", "progress:", "accept:", "L:", "end:"]);
                format!("{label} do\n{}  od", options.concat())
            }
        };
        text += &format!("  {body}\n}}\n");
    }
    text + &claim(&mut rng)
}

fn lines(rng: &mut Rng, count: usize) -> String {
    let lines: Vec<String> = (0..count).map(|_| statement(rng)).collect();
    lines.join(";\n  ")
}

/// A statement that begins an option as well.
fn statement(rng: &mut Rng) -> String {
    let number = rng.below(2);
    match rng.below(18) {
        0 | 1 => "a = (a + 1) % 3".to_owned(),
        2 => "b = 1 - b".to_owned(),
        3 => format!("(b == {number}) -> a = {number}"),
        4 => format!("atomic {{ (a == {number}) -> b = {number}; a = 2 }}"),
        5 => "atomic { q!1; b = 1; q?t }".to_owned(),
        6 => "d_step { (a > 0) -> a = a - 1; t = 0 }".to_owned(),
        7 | 8 => format!("(_nr_pr < 4) -> run Child({number})"),
        9 => format!("q!{number}"),
        10 => "q?t".to_owned(),
        11 => format!("r!{number}"),
        12 => "r?b".to_owned(),
        13 => format!("atomic {{ r!{number}; a = {number} }}"),
        14 => "timeout -> a = 0".to_owned(),
        15 => "c[b] = 1 - c[b]".to_owned(),
        16 => "t = 1 - t; c[a] = 0".to_owned(),
        _ => "atomic { (_nr_pr < 4) -> run Child(1); b = 0 }".to_owned(),
    }
}

/// A claim of up to four states.
fn claim(rng: &mut Rng) -> String {
    let states = rng.range(1, 4);
    let name = |state: usize, accepts: bool| match accepts {
        true => format!("accept_{state}"),
        false => format!("S{state}"),
    };
    let percent = *rng.pick(&[0, 40, 40, 100]);
    let names: Vec<String> = (0..states)
        .map(|state| name(state, rng.percent(percent)))
        .collect();
    let mut text = "never {\n".to_owned();
    for state in &names {
        text += &format!("{state}:\n  do\n");
        for _ in 0..rng.range(1, 3) {
            text += &format!("  :: {}\n", option(rng, &names));
        }
        if rng.percent(20) {
            text += &format!("  :: else -> goto {}\n", rng.pick(&names));
        }
        text += "  od;\n";
    }
    text + "}\n"
}

fn option(rng: &mut Rng, names: &[String]) -> String {
    let (condition, target) = (condition(rng), rng.pick(names).clone());
    match rng.below(12) {
        0 => format!(
            "atomic {{ ({condition}) -> assert({}) }}; goto {target}",
            self::condition(rng)
        ),
        1 => format!("({condition}) -> break"),
        2 => "true".to_owned(),
        _ => format!("({condition}) -> goto {target}"),
    }
}

fn condition(rng: &mut Rng) -> String {
    let number = rng.below(2);
    match rng.below(16) {
        0..3 => "true".to_owned(),
        3..5 => format!("a == {number}"),
        5 => format!("a != {number} && b == {number}"),
        6 => "timeout".to_owned(),
        7 => "!timeout".to_owned(),
        8 => "np_".to_owned(),
        9 => format!("_nr_pr > {}", 2 + number),
        10 => "len(q) > 0".to_owned(),
        11 => format!("_last == {number}"),
        12 => format!("pc_value({number}) > 2"),
        13 => format!("P:t == {number}"),
        14 => "c[b] == 0".to_owned(),
        _ => format!("b == {number}"),
    }
}
