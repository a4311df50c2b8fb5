//! `spinor fmt`: models in the usual layout.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use promela::fmt::{Refusal, format};
use promela::preprocess::FileLoader;
use promela::source::SourceMap;

use crate::color::Color;
use crate::exit::Exit;
use crate::source::SourceArgs;
use checker::load::LoadError;

/// The largest source file, in bytes.
const LARGEST: u64 = 64 << 20;

const AFTER_HELP: &str = "\
Files that are already formatted, and files that are not models, are left unchanged.

Exit status: 0 on success, 1 if --check found a file to format, 2 if a file is not a model or \
cannot be read or written.

Examples:
  spinor fmt peterson.pml
  spinor fmt --check models/*.pml
  spinor fmt - < peterson.pml";

/// Arguments of `spinor fmt`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The models; `-` reads standard input and writes standard output.
    #[arg(required = true, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Options of the preprocessor.
    #[command(flatten)]
    pub source: SourceArgs,

    /// Write nothing; list the files that need formatting.
    #[arg(long, conflicts_with = "stdout", help_heading = "Output")]
    pub check: bool,
    /// Write the result to standard output instead of the file.
    #[arg(long, help_heading = "Output")]
    pub stdout: bool,
    /// When to use colours in messages.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Output")]
    pub color: Color,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    let mut worst = Exit::Holds;
    for path in &args.models {
        let exit = match format_file(args, path) {
            Ok(exit) => exit,
            Err(Failure::Told(text)) => {
                // Nobody can be told when this fails.
                let _ = io::stderr().lock().write_all(text.as_bytes());
                Exit::Usage
            }
            // Whoever closed the pipe has seen enough.
            Err(Failure::Print(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return worst;
            }
            Err(Failure::Print(error)) => {
                eprintln!("error: cannot print the model: {error}");
                return Exit::Internal;
            }
        };
        if exit as u8 > worst as u8 {
            worst = exit;
        }
    }
    worst
}

/// Why a file was not formatted.
enum Failure {
    /// Bad usage or a bad model: what to tell, with a line break.
    Told(String),
    /// Standard output does not take it.
    Print(io::Error),
}

impl Failure {
    fn told(what: &str, path: &Path, reason: impl std::fmt::Display) -> Failure {
        Failure::Told(format!("error: {what} {}: {reason}\n", shown(path)))
    }
}

fn format_file(args: &Args, path: &Path) -> Result<Exit, Failure> {
    let bytes = read(path).map_err(|error| {
        let error = LoadError::Io(PathBuf::from(shown(path)), error);
        Failure::Told(error.render(args.color.on(&io::stderr())))
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::told("cannot format", path, "it is not UTF-8"))?;
    let formatted = format_text(args, path, &text)?;
    if args.check {
        if formatted == text {
            return Ok(Exit::Holds);
        }
        print(&format!("{}\n", shown(path)))?;
        return Ok(Exit::Violated);
    }
    if args.stdout || is_stdin(path) {
        print(&formatted)?;
    } else if formatted != text {
        std::fs::write(path, formatted)
            .map_err(|error| Failure::told("cannot write", path, error))?;
    }
    Ok(Exit::Holds)
}

fn format_text(args: &Args, path: &Path, text: &str) -> Result<String, Failure> {
    let mut sources = SourceMap::default();
    let name = if is_stdin(path) {
        // Its includes are looked for in the current directory.
        Path::new("<stdin>")
    } else {
        path
    };
    let options = args.source.options().preprocessor();
    format(name, text, &Includes, &options, &mut sources).map_err(|refusal| match refusal {
        Refusal::Diagnostics(diagnostics) => {
            let error = LoadError::Diagnostics(diagnostics, sources);
            Failure::Told(error.render(args.color.on(&io::stderr())))
        }
        Refusal::Meaning => Failure::told(
            "cannot format",
            path,
            "its meaning depends on line breaks, as with `__LINE__` or a stringifying macro",
        ),
    })
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// A path for messages.
fn shown(path: &Path) -> String {
    if is_stdin(path) {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if is_stdin(path) {
        read_bounded(io::stdin().lock())
    } else {
        read_bounded(File::open(path)?)
    }
}

/// Devices and pipes do not tell their size, so the reading itself is bounded.
fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("it is larger than {} MiB", LARGEST >> 20);
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text.as_bytes());
    printed.and_then(|()| out.flush()).map_err(Failure::Print)
}

/// Included files. They are only read, so bytes that are no UTF-8 may be replaced.
struct Includes;

impl FileLoader for Includes {
    fn load(&self, path: &Path) -> io::Result<String> {
        let bytes = read_bounded(File::open(path)?)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
