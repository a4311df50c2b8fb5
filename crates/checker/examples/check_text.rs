//! Check a model from a string, and print what is known of each property as soon as it is known.

use checker::{Event, Options, Source, Watch};

const MODEL: &str = "
byte turn;
active [2] proctype P() { do :: turn == _pid -> turn = 1 - turn od }
ltl alternates { [] <> (turn == 1) }
ltl starves { <> [] (turn == 0) }";

fn main() {
    let verdict = check(&|line| println!("{line}"));
    println!("all in all: {verdict}");
}

/// Tell each property's verdict, and return that of all together.
pub fn check(tell: &(dyn Fn(String) + Sync)) -> &'static str {
    let listener = |event: &Event<'_>| {
        if let Event::Verdict {
            plan,
            property,
            judgement,
            ..
        } = event
        {
            let title = plan.properties[*property].title();
            tell(format!("{title}: {}", judgement.verdict.word()));
        }
    };
    let watch = Watch {
        listener: Some(&listener),
        ..Watch::default()
    };
    let report = checker::check(&Source::text("m.pml", MODEL), &Options::default(), &watch);
    report.verdict.word()
}
