//! Scratch.
use promela::*;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut sources = source::SourceMap::default();
    let t = Instant::now();
    let (program, found) = parser::parse(
        std::path::Path::new(&path),
        &text,
        &preprocess::DiskLoader,
        &preprocess::Options::default(),
        &mut sources,
    );
    println!("parse {:?} {}", t.elapsed(), found.len());
    let t = Instant::now();
    let found = lint::check(&program, &sources, lint::Lints::all());
    println!("lint {:?} {}", t.elapsed(), found.len());
}
