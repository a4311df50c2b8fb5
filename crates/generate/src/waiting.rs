//! Random models in which processes wait for what several others change.
//!
//! Two processes toggle a variable each, and a third one waits until both are as it wants them. The
//! steps of the first two have nothing to do with each other but for this: their order decides
//! whether the third one can move, which fairness asks for.

use crate::Rng;

/// A random model with a formula, called `asked`. The same seed gives the same text, on every
/// machine.
pub fn waiting_model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x3a17_1465);
    let mut text = "bit u, v;\nbyte x;\n".to_owned();
    for (name, variable) in [("A", "u"), ("B", "v")] {
        let body = toggling(&mut rng, variable);
        text += &format!("active proctype {name}() {{\n  bit t;\n  {body}\n}}\n");
    }
    let waiting = rng.range(1, 2);
    for (name, value) in [("R", 1), ("S", 2)].into_iter().take(waiting) {
        let guard = guard(&mut rng);
        let body = match rng.below(3) {
            0 => format!("({guard}) -> x = {value}"),
            1 => format!("do :: ({guard}) -> x = {value}; x = 0 od"),
            _ => format!("do :: ({guard}) -> x = {value} :: x == {value} -> x = 0 od"),
        };
        text += &format!("active proctype {name}() {{\n  {body}\n}}\n");
    }
    let formula = formula(&mut rng);
    text + &format!("ltl asked {{ {formula} }}\n")
}

/// What a process does with its variable.
fn toggling(rng: &mut Rng, variable: &str) -> String {
    match rng.below(4) {
        0 => format!("do :: {variable} = 1; {variable} = 0 od"),
        1 => format!("do :: {variable} = 1; t = 1 - t; {variable} = 0 od"),
        2 => format!("do :: {variable} = 1 - {variable} :: t = 1 - t od"),
        _ => format!(
            "{variable} = 1; {variable} = 0; {variable} = {}",
            rng.below(2)
        ),
    }
}

fn guard(rng: &mut Rng) -> String {
    let (a, b) = (rng.below(2), rng.below(2));
    let both = *rng.pick(&["&&", "&&", "||"]);
    format!("u == {a} {both} v == {b}")
}

fn formula(rng: &mut Rng) -> String {
    let value = rng.range(1, 2);
    match rng.below(5) {
        0 => format!("[] <> (x == {value})"),
        1 => format!("<> (x == {value})"),
        2 => "<> [] (x == 0)".to_owned(),
        3 => format!("[] (x == {value} -> <> (x == 0))"),
        _ => format!("[] <> (x == {value}) || <> [] (x == 0)"),
    }
}
