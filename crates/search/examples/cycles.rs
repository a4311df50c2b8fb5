//! How long the search of a never claim takes over packed states.
#[path = "../tests/common/mod.rs"]
mod common;
use model::reduction::reduce_keeping_steps;
use product::{Claim, ClaimMonitor, NeverClaim, Product, Stutter};
use search::SearchConfig;
use search::packed::{Coloured, packed_nested_dfs};
use std::time::Instant;
fn main() {
    common::on_a_large_stack(|| {
        let weak = std::env::var("WEAK").is_ok();
        for path in std::env::args().skip(1) {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut model = common::load(std::path::Path::new(&path), &text).unwrap();
            let proctype = (model.liveness.iter())
                .find_map(|stated| match stated.kind {
                    model::LivenessKind::Never(claim) => Some(claim),
                    _ => None,
                })
                .unwrap();
            let slot = {
                let copy = model.clone();
                let claim = NeverClaim::new(&copy, proctype);
                let stutter = match claim.accepts() {
                    true => Stutter::Plain,
                    false => Stutter::AsSpin,
                };
                Product::<model::Interp<'_>, _>::add_claim_slot(&mut model, &claim, stutter)
            };
            let model = match std::env::var("RAW") {
                Ok(_) => model,
                Err(_) => reduce_keeping_steps(&model).model,
            };
            if std::env::var("COMPARE").is_ok() {
                let claim = NeverClaim::new(&model, proctype);
                let mut product = Product::new(model::Interp::new(&model), claim, slot);
                let mut store = store::PlainStore::with_note(search::nested_dfs_note_bytes(1));
                let config = SearchConfig {
                    max_errors: None,
                    ..SearchConfig::default()
                };
                let whole = search::nested_dfs(&mut product, &mut store, &config);
                let claim = NeverClaim::new(&model, proctype);
                let product =
                    relation::Product::new(&model, ClaimMonitor::new(claim, slot)).unwrap();
                let found = packed_nested_dfs(product, &mut Coloured, &config, false)
                    .unwrap()
                    .0;
                println!("{:?}\n{:?}", whole.statistics, found.statistics);
                for outcome in [&whole, &found] {
                    for finding in outcome.findings() {
                        println!(
                            "{:?} {} {}",
                            finding.violation, finding.depth, finding.count
                        );
                        if std::env::var("TRACE").is_ok() {
                            println!("{:?} {:?}", finding.trace.cycle, finding.trace.claim);
                        }
                    }
                    println!("--");
                }
                continue;
            }
            let claim = NeverClaim::new(&model, proctype);
            assert!(!weak || claim.is_weak());
            let started = Instant::now();
            let product = relation::Product::new(&model, ClaimMonitor::new(claim, slot)).unwrap();
            let found = packed_nested_dfs(product, &mut Coloured, &SearchConfig::default(), weak);
            println!(
                "{path} {:?} {:?}",
                started.elapsed(),
                found.map(|found| (found.0.statistics, found.0.store_bytes, found.0.stack_bytes))
            );
        }
    });
}
