//! Choosing each step by hand.

use std::io::{self, BufRead, Write};

use model::show;

use super::Simulation;
use checker::style::printable;
use checker::trace::print;

const HELP: &str = "  a number  take that step
  (empty)   take the step if there is only one
  b, u      undo the last step
  s         show the variables and the processes
  h         this help
  q         quit
";

/// What the user wants.
enum Wish {
    Step(usize),
    Only,
    Back,
    State,
    Help,
    Quit,
    Unclear,
}

impl Wish {
    fn read(line: &str) -> Wish {
        match line.trim() {
            "" => Wish::Only,
            "b" | "back" | "u" | "undo" => Wish::Back,
            "s" | "state" => Wish::State,
            "h" | "help" | "?" => Wish::Help,
            "q" | "quit" => Wish::Quit,
            number => number.parse().map_or(Wish::Unclear, Wish::Step),
        }
    }
}

/// Let the user choose until the input ends or asks for it. With `echo`, what is read is
/// printed too, as a terminal would do.
pub(super) fn choose(
    simulation: &mut Simulation<'_>,
    mut input: impl BufRead,
    echo: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut ask = true;
    loop {
        if ask {
            list(simulation, out)?;
        }
        write!(out, "> ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return writeln!(out);
        }
        if echo {
            writeln!(out, "{}", printable(line.trim_end()))?;
        }
        let count = simulation.run.choices().list.len();
        ask = true;
        match Wish::read(&line) {
            Wish::Step(number) if (1..=count).contains(&number) => {
                make(simulation, number - 1, out)?;
            }
            Wish::Only if count == 1 => make(simulation, 0, out)?,
            Wish::Back => {
                if !simulation.run.back() {
                    writeln!(out, "this is the initial state")?;
                }
            }
            Wish::State => {
                state(simulation, out)?;
                ask = false;
            }
            Wish::Help => {
                out.write_all(HELP.as_bytes())?;
                ask = false;
            }
            Wish::Quit => return Ok(()),
            Wish::Step(_) | Wish::Only | Wish::Unclear => {
                let numbers = match count {
                    0 => "no step is possible".to_owned(),
                    1 => "1".to_owned(),
                    n => format!("1 to {n}"),
                };
                writeln!(out, "{numbers}; b back, s state, h help, q quit")?;
                ask = false;
            }
        }
    }
}

fn make(simulation: &mut Simulation<'_>, index: usize, out: &mut impl Write) -> io::Result<()> {
    let before = simulation.run.done().steps.len();
    simulation.run.take(index);
    if simulation.run.done().steps.len() > before {
        simulation.show_last(out)?;
    }
    Ok(())
}

/// The steps to choose from, or how the run ends here.
fn list(simulation: &Simulation<'_>, out: &mut impl Write) -> io::Result<()> {
    let run = &simulation.run;
    let model = run.model();
    if let Some(violation) = run.done().violation {
        print::conclusion(
            model,
            run.done(),
            &violation,
            simulation.printer.style(),
            out,
        )?;
    } else if run.choices().list.is_empty() {
        writeln!(out, "{}", print::ending(model, run.done()))?;
    }
    let Some(node) = run.node() else {
        return Ok(());
    };
    if !run.choices().list.is_empty() {
        writeln!(out, "choose:")?;
    }
    for (i, choice) in run.choices().list.iter().enumerate() {
        if let Some(step) = choice.step {
            simulation.printer.choice(out, &node.state, i + 1, step)?;
        }
    }
    Ok(())
}

/// The variables of a state, and where its processes stand.
fn state(simulation: &Simulation<'_>, out: &mut impl Write) -> io::Result<()> {
    let run = &simulation.run;
    let state = run.done().last_state();
    let items = show::items(run.model(), state);
    let width = items.iter().map(|item| item.name.chars().count()).max();
    let width = width.unwrap_or(0);
    for item in items {
        writeln!(out, "  {:width$} = {}", item.name, printable(&item.value))?;
    }
    print::standing(run.model(), state, out)
}
