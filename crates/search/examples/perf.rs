#[path = "../tests/common/mod.rs"]
mod common;
use model::{Interp, reduction::reduce};
use search::packed::{Packed, PackedSearch, packed};
use search::{Collapse, SearchConfig, collapse};
use std::time::Instant;
fn main() {
    common::on_a_large_stack(|| {
        for path in std::env::args().skip(1) {
            let text = std::fs::read_to_string(&path).unwrap();
            let defines = std::env::var("DEF").unwrap_or_default();
            let text = format!("{defines}\n{text}");
            let model = common::load(std::path::Path::new(&path), &text).unwrap();
            let model = if std::env::var("RAW").is_ok() {
                model
            } else {
                reduce(&model).model
            };
            let config = SearchConfig::default();
            let only = std::env::var("KIND").unwrap_or_default();
            for (kind, old) in [
                (PackedSearch::BreadthFirst, Collapse::BreadthFirst),
                (PackedSearch::DepthFirst, Collapse::DepthFirst),
            ] {
                if !only.is_empty() && !format!("{kind:?}").starts_with(&only) {
                    continue;
                }
                for _ in 0..1 {
                    let t = Instant::now();
                    let system = relation::System::new(&model).unwrap();
                    let new = packed(system, &mut Packed, None, &config, kind);
                    let a = t.elapsed();
                    let t = Instant::now();
                    let mut interp = Interp::new(&model);
                    let o = if std::env::var("NEW").is_ok() {
                        None
                    } else {
                        collapse(&mut interp, &mut search::Packed, &config, old)
                    };
                    let b = t.elapsed();
                    println!(
                        "{path} {kind:?} new {:?} {a:?} {:?} {:?} old {:?} {b:?} {:?}",
                        new.as_ref().map(|o| o.statistics.stored),
                        new.as_ref().map(|o| (o.store_bytes, o.stack_bytes)),
                        new.as_ref().map(|o| o.completion()),
                        o.as_ref().map(|o| o.statistics.stored),
                        o.as_ref().map(|o| (o.store_bytes, o.stack_bytes))
                    );
                }
            }
        }
    });
}
