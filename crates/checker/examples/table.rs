//! Check a model for several values of a macro, and print a table.

use checker::options::SourceOptions;
use checker::{Options, Source, Watch};

const MODEL: &str = "
byte x;
active [N] proctype P() { byte i; do :: i < 3 -> i++; x++ :: else -> break od; assert(x <= 9) }";

fn main() {
    print!("{}", table());
}

/// A row for each value: states, transitions, verdict.
pub fn table() -> String {
    let mut text = format!(
        "{:>2} {:>7} {:>12}  verdict\n",
        "N", "states", "transitions"
    );
    for n in 2..=6 {
        let options = SourceOptions {
            define: vec![format!("N={n}")],
            ..SourceOptions::default()
        };
        let source = Source::text("adders.pml", MODEL).with_options(options);
        let report = checker::check(&source, &Options::default(), &Watch::default());
        let (stored, transitions) = (report.states.stored, report.transitions);
        let verdict = report.verdict.word();
        text += &format!("{n:>2} {stored:>7} {transitions:>12}  {verdict}\n");
    }
    text
}
