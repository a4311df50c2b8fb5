//! `spinor simulate`: one run of a model, chosen at random, by hand, or by a file.

mod interactive;

use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::exit::Exit;
use checker::load::{self, Loaded};
use checker::options::SourceOptions;
use checker::trace::TraceFile;
use checker::trace::guide::{self, Guide};
use checker::trace::print::{self, Printer, Style};
use checker::trace::replay::{End, Run};

use crate::color::Color;
use crate::source::{self, SourceArgs};

/// Arguments of `spinor simulate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 if the run ends without a violation, 1 if it ends in one, 2 if \
                  the model or a trace file is invalid."
)]
pub struct Args {
    /// The model.
    pub model: PathBuf,
    /// What the preprocessor is told.
    #[command(flatten)]
    pub source: SourceArgs,
    /// A send to a full channel loses its message instead of blocking.
    #[arg(long, help_heading = "Model")]
    pub lossy_channels: bool,

    /// The random seed: the same seed gives the same run.
    #[arg(long, value_name = "N", help_heading = "Run")]
    pub seed: Option<u64>,
    /// Stop after N steps.
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Run")]
    pub steps: usize,
    /// Choose each step by hand.
    #[arg(long, short, help_heading = "Run")]
    pub interactive: bool,
    /// Start with the steps of this trace file.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "trail",
        help_heading = "Run"
    )]
    pub trace: Option<PathBuf>,
    /// Start with the steps of this Spin trail.
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub trail: Option<PathBuf>,

    /// Print only the output of the model and how the run ends.
    #[arg(long, short, conflicts_with = "interactive", help_heading = "Output")]
    pub quiet: bool,
    /// When to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Output")]
    pub color: Color,
}

/// Run the command.
pub fn run(args: &Args) -> Exit {
    let stdin = io::stdin().lock();
    let echo = !stdin.is_terminal();
    let stdout = io::stdout();
    let color = args.color.on(&stdout);
    let mut out = BufWriter::new(stdout.lock());
    let result = simulate(args, color, (stdin, echo), &mut out);
    let flushed = out.flush();
    match (result, flushed) {
        (Ok(exit), Ok(())) => exit,
        (Err(Failure::Told(text)), _) => {
            // Nobody can be told when this fails.
            let _ = io::stderr().lock().write_all(text.as_bytes());
            Exit::Usage
        }
        (Err(Failure::Output(error)), _) | (Ok(_), Err(error)) => {
            // Whoever closed the pipe has read enough.
            if error.kind() == io::ErrorKind::BrokenPipe {
                return Exit::Holds;
            }
            eprintln!("error: cannot print the run: {error}");
            Exit::Internal
        }
    }
}

/// Why a run was not made.
enum Failure {
    /// The model or a file is wrong: what to tell the user.
    Told(String),
    /// The output failed.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

fn simulate(
    args: &Args,
    color: bool,
    (input, echo): (impl BufRead, bool),
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    let file = read_trace(args)?;
    let loaded = read_model(args, file.as_ref())?;
    let guide = match (&file, &args.trail) {
        (Some(file), _) => guide::from_trace(file, &loaded),
        (None, Some(path)) => guide::from_trail(path, &loaded),
        (None, None) => Ok(Guide::default()),
    };
    let guide = guide.map_err(|reason| told(&reason))?;
    let mut simulation = Simulation {
        run: Run::new(&loaded.model),
        printer: Printer::new(&loaded.model, color),
        quiet: args.quiet,
    };
    for remark in &guide.remarks {
        writeln!(out, "note: {remark}")?;
    }
    for &step in &guide.trace.steps {
        let made = simulation.run.step(step);
        made.map_err(|error| told(&format!("the trace does not fit the model: {error}")))?;
        simulation.show_last(out)?;
    }
    if args.interactive {
        interactive::choose(&mut simulation, input, echo, out)?;
    } else {
        simulation.random(args, out)?;
    }
    simulation.conclude(color, args.interactive, out)
}

fn told(reason: &str) -> Failure {
    Failure::Told(format!("error: {reason}\n"))
}

fn read_trace(args: &Args) -> Result<Option<TraceFile>, Failure> {
    let read = args
        .trace
        .as_ref()
        .map(|path| TraceFile::read(path).map_err(|error| told(&guide::cannot_read(path, &error))));
    read.transpose()
}

/// Read the model, with the options of the trace file where none are given.
fn read_model(args: &Args, file: Option<&TraceFile>) -> Result<Loaded, Failure> {
    let given = match file {
        Some(file) if args.source.is_empty() => file.options(),
        _ => args.source.options(),
    };
    let options = SourceOptions {
        lints: args.source.lints(),
        lossy_channels: args.lossy_channels || file.is_some_and(|file| file.lossy_channels),
        ..given
    };
    let color = args.color.on(&io::stderr());
    let read = source::open(&args.model, options).and_then(|source| load::load(&source));
    let loaded = read.map_err(|error| Failure::Told(error.render(color)))?;
    let warnings = promela::render::render(&loaded.warnings, &loaded.sources, color);
    // Nobody can be told when this fails.
    let _ = io::stderr().lock().write_all(warnings.as_bytes());
    Ok(loaded)
}

/// A run and how it is shown.
struct Simulation<'m> {
    run: Run<'m>,
    printer: Printer<'m>,
    quiet: bool,
}

impl Simulation<'_> {
    /// Show the step that was made last.
    fn show_last(&self, out: &mut impl Write) -> io::Result<()> {
        let done = self.run.done();
        let Some(index) = done.steps.len().checked_sub(1) else {
            return Ok(());
        };
        if self.quiet {
            return out.write_all(done.steps[index].output.as_bytes());
        }
        let continues = self.run.choices().is_exclusive();
        self.printer.step(out, done, index, continues)
    }

    /// Go on at random until nothing is left to do.
    fn random(&mut self, args: &Args, out: &mut impl Write) -> io::Result<()> {
        let seed = args.seed.unwrap_or_else(fresh_seed);
        if args.seed.is_none() && self.run.done().violation.is_none() {
            writeln!(out, "seed {seed}")?;
        }
        let mut random = SplitMix(seed);
        while self.run.done().steps.len() < args.steps
            && self.run.done().violation.is_none()
            && !self.run.choices().list.is_empty()
        {
            let choices = self.run.choices().list.len();
            self.run.take(random.below(choices));
            self.show_last(out)?;
        }
        Ok(())
    }

    /// How the run ends.
    fn conclude(&self, color: bool, stopped: bool, out: &mut impl Write) -> Result<Exit, Failure> {
        let done = self.run.done();
        let model = self.run.model();
        if !self.quiet {
            writeln!(out)?;
        }
        let Some(violation) = done.violation else {
            let ending = print::ending(model, done);
            let limit = match (done.end, stopped) {
                (End::Running, false) => " (--steps)",
                _ => "",
            };
            writeln!(out, "{ending}{limit}")?;
            return Ok(Exit::Holds);
        };
        let style = Style {
            color,
            ..Style::default()
        };
        print::conclusion(model, done, &violation, style, out)?;
        Ok(Exit::Violated)
    }
}

/// A seed from the clock.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = now.map_or(0, |elapsed| elapsed.as_nanos() as u64);
    // Short enough to be typed again.
    SplitMix(nanos).next() % 1_000_000_000
}

/// The generator of [Steele, Lea, Flood 2014]: small, and the same on every machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound, each with the same chance: numbers of the last, incomplete
    /// round of the bound are drawn again.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        let complete = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.next();
            if drawn < complete {
                return (drawn % bound) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn draws_are_below_their_bound() {
        let mut random = SplitMix(7);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[random.below(5)] = true;
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(random.below(1), 0);
    }
}
