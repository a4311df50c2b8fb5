//! The report: tables of ratios, and the measurements behind them.

use super::measure::Sample;
use super::set::{Config, GROWTH, Kind};
use super::table::{self, NOTHING, Table};
use super::{Measured, Reference};

/// What a ratio compares; more than 1 is in our favour.
type Ratio = fn(&Reference, &Sample) -> f64;

/// Spin's verifier against the whole of spinor.
fn search(reference: &Reference, ours: &Sample) -> f64 {
    reference.best.cpu / ours.cpu
}

/// From the model to the verdict: translator, compiler and verifier against spinor.
fn end_to_end(reference: &Reference, ours: &Sample) -> f64 {
    (reference.preparation + reference.best.cpu) / ours.cpu
}

/// Memory for a state.
fn memory(reference: &Reference, ours: &Sample) -> f64 {
    reference.best.bytes_per_state() / ours.bytes_per_state()
}

/// All sections; those without measurements are left out.
pub fn render(configs: &[&Config], full: &[Measured], small: &[Measured]) -> String {
    let mut text = String::new();
    if !full.is_empty() {
        text.push_str(&ratios(
            "Search",
            "CPU time of `pan` divided by the CPU time of the whole spinor process.",
            configs,
            full,
            search,
        ));
        text.push_str(&ratios(
            "Memory",
            "Bytes per state of `pan`, including its hash table, divided by those of spinor.",
            configs,
            full,
            memory,
        ));
        text.push_str(&ratios(
            "End to end",
            "CPU time of `spin`, `gcc` and `pan` together divided by that of spinor.",
            configs,
            full,
            end_to_end,
        ));
    }
    if !small.is_empty() {
        text.push_str(&ratios(
            "End to end, small models",
            "CPU time of `spin`, `gcc` and `pan` together divided by that of spinor, on models \
             with fewer than 100,000 states.",
            configs,
            small,
            end_to_end,
        ));
    }
    text.push_str(&growth(configs, full));
    for (title, measured) in [("Measurements", full), ("Measurements, small", small)] {
        if !measured.is_empty() {
            text.push_str(&measurements(title, configs, measured));
        }
    }
    text.push_str(&agreement(full, small));
    text
}

/// A table of ratios with their geometric mean and the worst.
fn ratios(
    title: &str,
    about: &str,
    configs: &[&Config],
    measured: &[Measured],
    ratio: Ratio,
) -> String {
    let mut head = vec!["model".to_owned(), "states".to_owned()];
    head.extend(configs.iter().map(|config| config.name.to_owned()));
    let mut table = Table::new(head);
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); configs.len()];
    for one in measured {
        let mut row = vec![one.name.to_owned(), table::count(one.size.stored)];
        for (column, config) in configs.iter().enumerate() {
            let pair = one.reference(config.reference).zip(one.ours[column]);
            let value = pair.map(|(reference, ours)| ratio(reference, &ours));
            columns[column].extend(value);
            row.push(table::ratio(value));
        }
        table.row(row);
    }
    type Summary = fn(&[f64]) -> Option<f64>;
    let summaries: [(&str, Summary); 2] = [
        ("geometric mean", table::geometric_mean),
        ("worst", table::worst),
    ];
    for (name, summary) in summaries {
        let mut row = vec![name.to_owned(), String::new()];
        row.extend(columns.iter().map(|column| table::ratio(summary(column))));
        table.row(row);
    }
    section(title, about, &table)
}

/// The time per state at both ends of the family; empty unless both were measured.
fn growth(configs: &[&Config], measured: &[Measured]) -> String {
    let member = |name: &str| measured.iter().find(|one| one.name == name);
    let (Some(near), Some(far)) = (member(GROWTH[0]), member(GROWTH[1])) else {
        return String::new();
    };
    let size = |one: &Measured| format!("{:.1} M states", one.size.stored as f64 / 1e6);
    let mut table = Table::new(["engine".to_owned(), size(near), size(far), "growth".into()]);
    let nanoseconds = |sample: &Sample| 1e9 / sample.states_per_second();
    let mut row = |name: &str, samples: Option<(Sample, Sample)>| {
        let cells = match samples.map(|(near, far)| (nanoseconds(&near), nanoseconds(&far))) {
            Some((near, far)) => [
                format!("{near:.0} ns"),
                format!("{far:.0} ns"),
                format!("{:.2}×", far / near),
            ],
            None => [NOTHING; 3].map(str::to_owned),
        };
        table.row([name.to_owned()].into_iter().chain(cells));
    };
    for kind in [Kind::Exact, Kind::Bitstate] {
        let best = |one: &Measured| one.reference(kind).map(|reference| reference.best);
        if let Some(samples) = best(near).zip(best(far)) {
            row(kind.program(), Some(samples));
        }
    }
    for (column, config) in configs.iter().enumerate() {
        row(config.name, near.ours[column].zip(far.ours[column]));
    }
    let (near, far) = (near.name, far.name);
    let about =
        format!("CPU time per state of {near} and {far}, the same algorithm with finer steps.");
    section("Growth", &about, &table)
}

/// The best run of every engine on every model.
fn measurements(title: &str, configs: &[&Config], measured: &[Measured]) -> String {
    let mut table = Table::new([
        "model, engine",
        "states",
        "transitions",
        "prepare s",
        "CPU s",
        "search s",
        "M states/s",
        "M trans./s",
        "peak MB",
        "bytes/state",
    ]);
    let mut row = |name: String, preparation: Option<f64>, sample: &Sample| {
        table.row([
            name,
            table::count(sample.stored),
            table::count(sample.transitions),
            preparation.map_or(NOTHING.to_owned(), table::short),
            table::short(sample.cpu),
            table::short(sample.search),
            table::short(sample.states_per_second() / 1e6),
            table::short(sample.transitions_per_second() / 1e6),
            table::short(sample.peak as f64 / 1e6),
            table::short(sample.bytes_per_state()),
        ]);
    };
    for one in measured {
        for reference in &one.references {
            let name = format!("{}, {}", one.name, reference.kind.program());
            row(name, Some(reference.preparation), &reference.best);
        }
        for (config, sample) in configs.iter().zip(&one.ours) {
            if let Some(sample) = sample {
                row(format!("{}, {}", one.name, config.name), None, sample);
            }
        }
    }
    section(
        title,
        "The best round. `prepare` is the CPU time of `spin` and `gcc`. `search` is CPU time for \
         `pan`, but for spinor the reported wall-clock time of the search, which grows on a busy \
         machine. Rates are per CPU second of the process. The peak of `pan` includes its stack; \
         bytes per state include the table but not the stack.",
        &table,
    )
}

fn section(title: &str, about: &str, table: &Table) -> String {
    let about = table::wrap(about);
    format!("## {title}\n\n{about}\n{}\n", table.render())
}

/// Whether all agreed, and what did not.
fn agreement(full: &[Measured], small: &[Measured]) -> String {
    let all = || full.iter().chain(small);
    let notes: Vec<&String> = all().flat_map(|one| &one.notes).collect();
    let text = if !notes.is_empty() {
        let lines: Vec<String> = notes.iter().map(|note| format!("- {note}\n")).collect();
        lines.concat()
    } else if all().all(|one| one.references.is_empty()) {
        table::wrap("Every exact search stored the known number of states of its model.")
    } else {
        table::wrap(
            "Every exact search stored the same number of states and made the same number of \
             transitions as `pan`.",
        )
    };
    format!("## Agreement\n\n{text}")
}

#[cfg(test)]
mod tests {
    use super::super::set::{CONFIGS, MODELS};
    use super::*;

    fn sample(cpu: f64) -> Sample {
        Sample {
            stored: 1000,
            transitions: 3000,
            cpu,
            search: cpu,
            peak: 1_000_000,
            states: 48_000,
        }
    }

    fn measured(entry: usize, pan: f64, ours: Option<f64>) -> Measured {
        Measured {
            name: MODELS[entry].name,
            size: MODELS[entry].full,
            references: vec![Reference {
                kind: Kind::Exact,
                preparation: 2.0,
                best: sample(pan),
            }],
            ours: vec![ours.map(sample)],
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_report_has_ratios_means_and_growth() {
        let full = [
            measured(0, 4.0, Some(1.0)),
            measured(1, 9.0, Some(1.0)),
            measured(2, 9.0, None),
        ];
        let text = render(&[&CONFIGS[0]], &full, &[]);
        let has = |cells: &[&str]| {
            let split = |line: &str| -> Vec<String> {
                line.split('|').map(|cell| cell.trim().to_owned()).collect()
            };
            text.lines().any(|line| {
                let line = split(line);
                cells.iter().all(|cell| line.iter().any(|c| c == cell))
            })
        };
        assert!(has(&["peterson", "4.0×"]), "{text}");
        assert!(has(&["philosophers-rendezvous", "-"]), "{text}");
        assert!(has(&["geometric mean", "6.0×"]), "{text}");
        assert!(has(&["worst", "4.0×"]), "{text}");
        assert!(has(&["pan", "2.25×"]), "growth of pan: {text}");
        assert!(has(&["bfs-plain", "1.00×"]), "our growth: {text}");
        assert!(text.contains("the same number of states"), "{text}");
    }

    #[test]
    fn a_disagreement_is_said() {
        let mut one = measured(0, 4.0, Some(1.0));
        one.notes.push("peterson, bfs-plain: wrong".to_owned());
        let text = render(&[&CONFIGS[0]], &[], &[one]);
        assert!(
            text.ends_with("## Agreement\n\n- peterson, bfs-plain: wrong\n"),
            "{text}"
        );
    }
}
