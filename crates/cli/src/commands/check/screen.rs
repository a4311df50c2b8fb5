//! What a check shows while it runs: verdicts and counterexamples as they come, or JSON.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use checker::event::Counterexample;
use checker::load::LoadError;
use checker::style::Style;
use checker::{CancelFlag, Event, Report, Verdict};

use super::files::Traces;
use super::{Args, Format, eprint_text, shown};
use crate::exit::Exit;
use crate::progress::Display;
use crate::report::human::Printer;
use crate::report::json;

/// Shows the events of a check and, at its end, the report.
pub(super) struct Screen<'a> {
    args: &'a Args,
    display: Display,
    /// Set when nobody reads the output any more: then the check ends.
    cancel: &'a CancelFlag,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    printer: Printer,
    traces: Traces<'a>,
    /// The first error of standard output.
    broken: Option<io::Error>,
}

impl<'a> Screen<'a> {
    pub(super) fn new(args: &'a Args, cancel: &'a CancelFlag) -> Screen<'a> {
        let quiet = args.output.quiet || args.output.format != Format::Human;
        let style = Style {
            color: args.output.color.on(&io::stdout()),
        };
        Screen {
            args,
            display: Display::new(args.output.report, quiet),
            cancel,
            state: Mutex::new(State {
                printer: Printer::new(style, args.output.quiet),
                traces: Traces::new(args),
                broken: None,
            }),
        }
    }

    pub(super) fn display(&self) -> &Display {
        &self.display
    }

    /// Show an event.
    pub(super) fn show(&self, event: &Event<'_>) {
        let mut state = self.state();
        let trace = match event {
            Event::Counterexample(found) => self.write_trace(&mut state, found),
            _ => None,
        };
        match (self.args.output.format, event) {
            (Format::Human | Format::Json, Event::Progress(progress)) => {
                self.display.show(progress);
            }
            (Format::Human, _) => self.show_human(&mut state, event, trace.as_deref()),
            (Format::Jsonl, _) => {
                let mut object = event.json();
                if let Some(trace) = trace {
                    object["error"]["trace"] = trace.into();
                }
                let printed = json::print_line(&object);
                self.note(&mut state, printed);
            }
            (Format::Json, _) => {}
        }
    }

    /// Write the trace of a counterexample, and return the name of its file.
    fn write_trace(&self, state: &mut State<'_>, found: &Counterexample<'_>) -> Option<String> {
        let written = state.traces.write(found);
        let trail = state.traces.write_trail(found);
        for reason in [written.as_ref().err(), trail.as_ref().err()] {
            if let Some(reason) = reason.filter(|_| self.args.output.format == Format::Human) {
                // The verdict stands all the same.
                let warn = || eprint_text(&format!("warning: {reason}\n"));
                self.display.aside(warn);
            }
        }
        written.ok().map(|path| shown(&path))
    }

    fn show_human(&self, state: &mut State<'_>, event: &Event<'_>, trace: Option<&str>) {
        let color = || self.args.output.color.on(&io::stderr());
        match event {
            // A file that cannot be read is the reason of the report, which is printed at the end.
            Event::Rejected(error) if matches!(error, LoadError::Diagnostics(..)) => {
                let text = error.render(color());
                self.display.aside(|| eprint_text(&text));
            }
            Event::Warnings {
                diagnostics,
                sources,
            } => {
                let text = promela::render::render(diagnostics, sources, color());
                self.display.aside(|| eprint_text(&text));
            }
            Event::Planned { loaded, plan } => {
                let model = shown(&self.args.model);
                state.printer.heading(&model, loaded, plan);
            }
            Event::Verdict {
                loaded,
                plan,
                property,
                judgement,
            } => state.printer.property(loaded, plan, *property, judgement),
            Event::Counterexample(found) => state.printer.counterexample(found, trace),
            _ => {}
        }
        self.flush(state);
    }

    /// Print what the printer has made.
    fn flush(&self, state: &mut State<'_>) {
        let text = state.printer.take();
        if text.is_empty() || state.broken.is_some() {
            return;
        }
        let printed = self.display.aside(|| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        });
        self.note(state, printed);
    }

    /// Whoever closed the pipe has read enough: the check ends.
    fn note(&self, state: &mut State<'_>, printed: io::Result<()>) {
        if let Err(error) = printed {
            self.cancel.set();
            state.broken.get_or_insert(error);
        }
    }

    /// Show the report.
    pub(super) fn end(self, mut report: Report) -> Exit {
        self.display.end();
        let mut state = self.state();
        state.traces.add_to(&mut report);
        state.traces.remove_stale(&report);
        match self.args.output.format {
            Format::Human => {
                let is_error = matches!(report.verdict, Verdict::Error(_));
                match &report.reason {
                    // The diagnostics have said it.
                    Some(_) if is_error && !report.diagnostics.is_empty() => {}
                    Some(reason) if is_error => eprint_text(&format!("error: {reason}\n")),
                    _ => {
                        state.printer.footer(&report);
                        self.flush(&mut state);
                    }
                }
            }
            format => {
                let printed = json::print_as(format, &report);
                self.note(&mut state, printed);
            }
        }
        match &state.broken {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                eprint_text(&format!("error: cannot print the report: {error}\n"));
                Exit::Internal
            }
            _ => Exit::of(&report),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
