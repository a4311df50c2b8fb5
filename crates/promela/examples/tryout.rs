//! Scratch.
use promela::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let mut sources = source::SourceMap::default();
        let (program, mut found) = parser::parse(
            std::path::Path::new(&path),
            &text,
            &preprocess::DiskLoader,
            &preprocess::Options::default(),
            &mut sources,
        );
        let broken = found.iter().any(|d| d.is_error());
        let (_, more) = lower::lower(&program, &sources);
        if broken {
            let lost = lost::lost_names(&program.skipped, &sources);
            found.extend(more.into_iter().filter(|d| {
                let w: Vec<_> = lost::words_of(sources.snippet(d.span)).collect();
                d.is_error() && !w.is_empty() && w.iter().all(|(_, w)| !lost.contains(w))
            }));
            found.sort_by_key(|d| (d.span.file, d.span.start));
        } else {
            found.extend(more);
            found.extend(lint::check(&program, &sources, lint::Lints::all()));
        }
        let _ = &program;
        if !found.is_empty() {
            println!("== {path}{}", if broken { " (syntax)" } else { "" });
            print!("{}", render::render(&found, &sources, false));
        }
    }
}
