//! Walk through the states of a model, and print where a process is blocked.

use checker::{Explorer, Source, load};

const MODEL: &str = "
chan c = [1] of { byte };
active proctype Sender() { c ! 7; c ! 8 }
active proctype Receiver() { byte got; c ? got; got == 8 }";

fn main() {
    print!("{}", walk());
}

/// The first enabled step of each state, to the end.
pub fn walk() -> String {
    let loaded = load::load(&Source::text("pipe.pml", MODEL)).expect("a good model");
    let mut explorer = Explorer::new(&loaded);
    let mut state = explorer.initial().expect("a state");
    let mut text = String::new();
    while let Some(step) = explorer.steps(&state).into_iter().next() {
        let effect = step.effect.join(", ");
        text += &format!("{} {}  [{effect}]\n", step.process, step.text);
        state = step.target.expect("no step fails");
    }
    for process in explorer.processes(&state) {
        if let Some(reason) = process.blocked {
            text += &format!("{} is blocked: {reason}\n", process.name);
        }
    }
    text
}
