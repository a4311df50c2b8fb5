//! `spinor graph`: drawings of a model.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::color::Color;
use crate::exit::Exit;
use crate::graph::{Automaton, Format};
use crate::source::{self, SourceArgs};
use checker::load;

const AFTER_HELP: &str = "\
Examples:
  spinor graph --automata peterson.pml -o peterson.svg
  spinor graph --automata ring.pml --proctype Node -D N=5 | dot -Tpdf -o node.pdf
  spinor graph --automata ring.pml --format svg -o drawings/";

/// Arguments of `spinor graph`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The model: a Promela file.
    pub model: PathBuf,
    /// Options of the preprocessor.
    #[command(flatten)]
    pub source: SourceArgs,

    /// Draw the control-flow graph of each proctype.
    #[arg(long, help_heading = "Drawing")]
    pub automata: bool,
    /// Draw only this proctype, or `init`, `never`, `trace` or `notrace`; repeatable.
    #[arg(long, value_name = "NAME", help_heading = "Drawing")]
    pub proctype: Vec<String>,

    /// The format [default: by the extension of the output file, else dot].
    #[arg(long, value_enum, help_heading = "Output")]
    pub format: Option<Format>,
    /// A file, or a directory for one file per proctype [default: standard output].
    #[arg(long, short, value_name = "FILE|DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// When to use colours in messages.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Output")]
    pub color: Color,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    match draw(args) {
        Ok(()) => Exit::Holds,
        Err(Failure::Told(text)) => {
            // Nobody can be told when this fails.
            let _ = io::stderr().lock().write_all(text.as_bytes());
            Exit::Usage
        }
        // Whoever closed the pipe has seen enough.
        Err(Failure::Print(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Holds,
        Err(Failure::Print(error)) => {
            eprintln!("error: cannot print the drawing: {error}");
            Exit::Internal
        }
    }
}

/// Why there is no drawing.
enum Failure {
    /// Bad usage or a bad model: what to tell, with a line break.
    Told(String),
    /// Standard output does not take it.
    Print(io::Error),
}

impl Failure {
    fn told(reason: &str) -> Failure {
        Failure::Told(format!("error: {reason}\n"))
    }
}

fn draw(args: &Args) -> Result<(), Failure> {
    if !args.automata {
        return Err(Failure::told(
            "specify what to draw: --automata, the control-flow graph of each proctype",
        ));
    }
    let color = args.color.on(&io::stderr());
    let loaded = source::open(&args.model, args.source.options())
        .and_then(|source| load::load(&source))
        .map_err(|error| Failure::Told(error.render(color)))?;
    let warnings = promela::render::render(&loaded.warnings, &loaded.sources, color);
    // Nobody can be told when this fails.
    let _ = io::stderr().lock().write_all(warnings.as_bytes());
    let automata = select(Automaton::all(&loaded.model), &args.proctype)?;
    let format = args.format.unwrap_or_else(|| default_format(args));
    match &args.output {
        None => {
            let drawing = format.draw(&automata);
            let mut out = io::stdout().lock();
            let printed = out.write_all(drawing.as_bytes());
            printed.and_then(|()| out.flush()).map_err(Failure::Print)
        }
        Some(output) if is_directory(output) => {
            write_all(output, &automata, format).map_err(|e| cannot_write(output, &e))
        }
        Some(output) => {
            if is_same_file(output, &args.model) {
                return Err(Failure::told("the drawing would overwrite the model"));
            }
            std::fs::write(output, format.draw(&automata)).map_err(|e| cannot_write(output, &e))
        }
    }
}

/// The automata of these names, in the order of the model; all, if there are no names.
fn select(all: Vec<Automaton>, names: &[String]) -> Result<Vec<Automaton>, Failure> {
    let is = |automaton: &Automaton, name: &String| file_name(automaton) == *name;
    for name in names {
        if !all.iter().any(|automaton| is(automaton, name)) {
            let known: Vec<&str> = all.iter().map(file_name).collect();
            let known = known.join(", ");
            let reason = format!("there is no proctype `{name}`; the model has: {known}");
            return Err(Failure::told(&reason));
        }
    }
    let wanted =
        |automaton: &Automaton| names.is_empty() || names.iter().any(|name| is(automaton, name));
    Ok(all.into_iter().filter(wanted).collect())
}

/// The name of an automaton without the colons around names that are no identifiers.
fn file_name(automaton: &Automaton) -> &str {
    automaton.name.trim_matches(':')
}

fn default_format(args: &Args) -> Format {
    let extension = args.output.as_deref().and_then(Path::extension);
    match extension.is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        true => Format::Svg,
        false => Format::Dot,
    }
}

/// Whether a path is a directory, or is written like one.
fn is_directory(path: &Path) -> bool {
    let written = path.as_os_str().as_encoded_bytes();
    path.is_dir()
        || written
            .last()
            .is_some_and(|&last| std::path::is_separator(last.into()))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// One file for each automaton.
fn write_all(directory: &Path, automata: &[Automaton], format: Format) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for automaton in automata {
        let name = format!("{}.{}", file_name(automaton), format.extension());
        let drawing = format.draw(std::slice::from_ref(automaton));
        std::fs::write(directory.join(name), drawing)?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::told(&format!("cannot write {}: {error}", path.display()))
}
