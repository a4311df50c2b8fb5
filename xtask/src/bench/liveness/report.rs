//! The section about liveness: tables of ratios, and the measurements behind them.

use super::super::table::{self, NOTHING, Table};
use super::{Bench, Engine, Fairness, Lassos, Measured, Run, SEARCHES};

/// The head of the section; what stands before it belongs to safety.
pub const HEAD: &str = "## Liveness\n";

/// The whole section.
pub fn render(bench: &Bench, measured: &[Measured], lassos: &[Lassos]) -> String {
    let mut text = format!("{HEAD}\n{}\n", introduction(bench));
    if !measured.is_empty() {
        text.push_str(&searches(measured));
        text.push_str(&costs(measured));
        text.push_str(&fairness(measured));
    }
    if !lassos.is_empty() {
        text.push_str(&counterexamples(lassos));
    }
    if !measured.is_empty() {
        text.push_str(&measurements(measured));
    }
    text.push_str(&agreement(measured, lassos));
    text
}

fn introduction(bench: &Bench) -> String {
    let reference = match &bench.reference {
        Some(versions) => format!(" with {versions}"),
        None => String::new(),
    };
    let rounds = match bench.runs {
        1 => "one round".to_owned(),
        runs => format!("best of {runs} interleaved rounds"),
    };
    table::wrap(&format!(
        "Measured by `cargo xtask bench --liveness`{reference} ({rounds}). Each formula is given \
         as a hand-written never claim appended to the model, so both engines search the same \
         product. Spin: `gcc -O3 -DNOREDUCE -DNOFAIR` and `pan -a`, or `-DNFAIR=2` and `pan -a -f` \
         for weak fairness. spinor: `spinor check --never --no-reduction`. Everything else is as \
         above."
    ))
}

fn section(title: &str, about: &str, table: &Table) -> String {
    let about = table::wrap(about);
    format!("### {title}\n\n{about}\n{}\n", table.render())
}

/// A number with two digits behind the point, or nothing.
fn factor(number: Option<f64>) -> String {
    number.map_or(NOTHING.to_owned(), |n| format!("{n:.2}"))
}

/// Spin's verifier against ours, without and with a claim.
fn searches(measured: &[Measured]) -> String {
    const PAIRS: [(Engine, Engine); 3] = [
        (Engine::PanSafety, Engine::Safety),
        (Engine::Pan, Engine::Chosen),
        (Engine::Pan, Engine::Nested),
    ];
    let mut table = Table::new([
        "model, property",
        "states",
        "safety: dfs",
        "product: by default",
        "product: nested-dfs",
    ]);
    for one in measured {
        let states = table::count(one.sizes.product.stored);
        let ratios = PAIRS.map(|(pan, ours)| table::ratio(one.ratio(pan, ours)));
        table.row([one.title.clone(), states].into_iter().chain(ratios));
    }
    let columns = PAIRS.map(|(pan, ours)| -> Vec<f64> {
        (measured.iter())
            .filter_map(|one| one.ratio(pan, ours))
            .collect()
    });
    let means = columns
        .each_ref()
        .map(|column| table::geometric_mean(column));
    let worst = columns.each_ref().map(|column| table::worst(column));
    for (name, numbers) in [("geometric mean", means), ("worst", worst)] {
        let cells = numbers.map(table::ratio);
        table.row([name.to_owned(), String::new()].into_iter().chain(cells));
    }
    section(
        "Search for cycles",
        "CPU time of `pan` divided by the CPU time of the whole spinor process: for the model \
         alone, and for its product with the claim, whose number of states is given. By default, \
         spinor uses a single depth-first search if the automaton is weak and no fairness is \
         requested (all rows here without fairness), and a nested one otherwise.",
        &table,
    )
}

/// What the second search and the breadth-first search cost.
fn costs(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "model, property",
        "expansions per state",
        "nested-dfs : plain",
        "owcty : nested-dfs",
    ]);
    for one in measured {
        let each = |run: Run| run.visited as f64 / run.sample.stored as f64;
        table.row([
            one.title.clone(),
            factor(one.of(Engine::Nested).map(each)),
            factor(one.ratio(Engine::Nested, Engine::Plain)),
            factor(one.ratio(Engine::Owcty, Engine::Nested)),
        ]);
    }
    section(
        "The cost of cycle detection",
        "The average number of expansions per state of the nested depth-first search; its CPU time \
         divided by that of a plain search, that is the same search with the accept labels removed \
         from the claim, so that no second search starts; and the CPU time of OWCTY, a \
         breadth-first search, divided by that of the nested depth-first search. There are no \
         accepting cycles, so every search explores the whole product. Under weak fairness a state \
         is expanded in several copies; the plain search ignores fairness.",
        &table,
    )
}

/// Weak fairness stores no more states; empty if it was not measured.
fn fairness(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "model, property",
        "no fairness",
        "weak fairness",
        "pan -a -f",
    ]);
    let mut any = false;
    for one in (measured.iter()).filter(|one| one.fairness != Fairness::None) {
        any = true;
        let stored = [Engine::Plain, Engine::Nested, Engine::Pan].map(|engine| {
            let run = one.of(engine);
            run.map_or(NOTHING.to_owned(), |run| table::count(run.sample.stored))
        });
        table.row([one.title.clone()].into_iter().chain(stored));
    }
    match any {
        true => section(
            "Fairness",
            "States stored by the plain search, by the nested depth-first search under weak \
             fairness, and by `pan`, on the same product.",
            &table,
        ),
        false => String::new(),
    }
}

/// The lengths of counterexamples.
fn counterexamples(lassos: &[Lassos]) -> String {
    let names = SEARCHES.map(|(name, _)| name);
    let head = ["model, property"].into_iter().chain(names);
    let mut table = Table::new(head.chain(["owcty : nested-dfs"]));
    let place = |name: &str| SEARCHES.iter().position(|(other, _)| *other == name);
    let pair = place("owcty").zip(place("nested-dfs"));
    for one in lassos {
        let cells = one.found.iter().map(|lasso| {
            lasso.map_or(NOTHING.to_owned(), |lasso| {
                format!(
                    "{} + {}",
                    table::count(lasso.stem),
                    table::count(lasso.cycle)
                )
            })
        });
        let lengths = pair.and_then(|(owcty, nested)| one.found[owcty].zip(one.found[nested]));
        let ratio = lengths.map(|(owcty, nested)| owcty.length() as f64 / nested.length() as f64);
        let ratio = ratio.map_or(NOTHING.to_owned(), table::short);
        table.row([one.title.clone()].into_iter().chain(cells).chain([ratio]));
    }
    section(
        "Counterexamples",
        "The lengths of stem and cycle that each search finds, and the total length with OWCTY \
         divided by that with nested depth-first search, as in Table 2 of Černá, Pelánek 2003a.",
        &table,
    )
}

/// The best run of every engine on every property.
fn measurements(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "model, property, engine",
        "states",
        "transitions",
        "expansions",
        "CPU s",
        "peak MB",
        "bytes/state",
    ]);
    for one in measured {
        for engine in Engine::ALL {
            let Some(Run { sample, visited }) = one.of(engine) else {
                continue;
            };
            // A breadth-first search does not say how often it comes back to a state.
            let visited = match engine {
                Engine::Owcty => NOTHING.to_owned(),
                _ => table::count(visited),
            };
            table.row([
                format!("{}, {}", one.title, engine.name()),
                table::count(sample.stored),
                table::count(sample.transitions),
                visited,
                table::short(sample.cpu),
                table::short(sample.peak as f64 / 1e6),
                table::short(sample.bytes_per_state()),
            ]);
        }
    }
    section("Measurements of cycles", "The best round.", &table)
}

/// Whether all agreed, and what did not.
fn agreement(measured: &[Measured], lassos: &[Lassos]) -> String {
    let notes = (measured.iter().flat_map(|one| &one.notes))
        .chain(lassos.iter().flat_map(|one| &one.notes));
    let lines: Vec<String> = notes.map(|note| format!("- {note}\n")).collect();
    let text = match lines.is_empty() {
        true => table::wrap(
            "All verdicts agreed. Every search of a product stored the same number of states; \
             without fairness, the nested depth-first search made the same number of transitions \
             as `pan`.",
        ),
        false => lines.concat(),
    };
    format!("### Agreement\n\n{text}")
}
