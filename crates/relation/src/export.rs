//! A relation as a file, for programs that know nothing of models.
//!
//! `docs/relation.md` describes the format, and `examples/toy_checker.rs` reads it.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::io::{self, Write};

use model::Model;
use space::{Violation, ViolationKind};

use crate::layout::Words;
use crate::learner::Phase;
use crate::relation::Relation;
use crate::state::State;
use crate::system::{Stop, System};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"spinrel1";

/// Why a relation could not be written.
#[derive(Debug)]
pub enum ExportError {
    /// The model fails before anybody moves.
    Initial(Violation),
    /// States do not fit into four words.
    TooWide,
    /// A state has too many moves for its row to be remembered.
    TooManyMoves,
    /// The file could not be written.
    Io(io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Initial(violation) => {
                write!(f, "in the initial state: {}", violation.kind)
            }
            ExportError::TooWide => f.write_str("the states do not fit into four words"),
            ExportError::TooManyMoves => f.write_str("a process has more than 4,095 moves at once"),
            ExportError::Io(error) => write!(f, "{error}"),
        }
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> ExportError {
        ExportError::Io(error)
    }
}

/// Visit all states of a model, and write what is known then: the relation of all reachable states.
pub fn export(model: &Model, out: &mut dyn Write) -> Result<(), ExportError> {
    let (mut system, initial) = System::<4, ()>::new(model).map_err(ExportError::Initial)?;
    let mut initial = initial;
    loop {
        let asked = system.asked();
        match visit(&mut system, &initial) {
            // A row that was found by a smaller mask is asked for again.
            Ok(()) if system.asked() > asked => {}
            Ok(()) => break,
            Err(Stop::TooLarge | Stop::Interrupted) => return Err(ExportError::TooManyMoves),
            Err(Stop::TooNarrow) => {
                let (wider, rewrite) = system
                    .widen::<4>(&[u64::BITS; 4])
                    .ok_or(ExportError::TooWide)?;
                system = wider;
                initial.words = rewrite.apply(&initial.words);
            }
        }
    }
    // As few words as it takes.
    match [1, 2]
        .into_iter()
        .find(|&words| system.fits(&vec![u64::BITS; words]))
    {
        Some(1) => narrow::<1>(system, &initial, out),
        Some(_) => narrow::<2>(system, &initial, out),
        None => write(&system, &initial.words, out),
    }
}

/// Visit all states that can be reached with the present layout.
fn visit(system: &mut System<'_, 4, ()>, initial: &State<4, ()>) -> Result<(), Stop> {
    let mut seen = HashSet::from([system.relation().visible(&initial.words)]);
    let mut open = VecDeque::from([*initial]);
    let mut found = Vec::new();
    while let Some(state) = open.pop_front() {
        found.clear();
        system.expand(&state, &mut found, &mut || false)?;
        for next in &found {
            if seen.insert(system.relation().visible(&next.state.words)) {
                open.push_back(next.state);
            }
        }
    }
    Ok(())
}

fn narrow<const W: usize>(
    system: System<'_, 4, ()>,
    initial: &State<4, ()>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let (system, rewrite) = system
        .widen::<W>(&[u64::BITS; W])
        .ok_or(ExportError::TooWide)?;
    let initial = rewrite.apply(&initial.words);
    write(&system, &initial, out)
}

fn write<const W: usize>(
    system: &System<'_, W, ()>,
    initial: &Words<W>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    out.write_all(MAGIC)?;
    number(out, W)?;
    words(out, initial)?;
    system.relation().write(out)?;
    Ok(())
}

fn number(out: &mut dyn Write, number: usize) -> io::Result<()> {
    out.write_all(&(number as u32).to_le_bytes())
}

fn words<const W: usize>(out: &mut dyn Write, words: &Words<W>) -> io::Result<()> {
    words
        .iter()
        .try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

/// A list: its length, then its items.
fn list<T>(
    out: &mut dyn Write,
    items: impl ExactSizeIterator<Item = T>,
    mut write: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    number(out, items.len())?;
    for item in items {
        write(out, item)?;
    }
    Ok(())
}

impl<const W: usize> Relation<W, ()> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        words(out, &self.visible(&[u64::MAX; W]))?;
        write_field(self.population_field(), out)?;
        list(out, self.process_counts().iter(), |out, &count| {
            number(out, count as usize)
        })?;
        let (field, ends) = match self.event() {
            None => (crate::Field::default(), &[][..]),
            Some((field, ends)) => (*field, &ends[..]),
        };
        write_field(field, out)?;
        write_flags(ends, out)?;
        let processes: Vec<_> = self.processes().collect();
        list(
            out,
            processes.into_iter(),
            |out, (main, ends, masks, rows)| {
                write_field(main, out)?;
                write_flags(ends, out)?;
                for phase in Phase::ALL {
                    let masks = masks[phase.index()].iter();
                    list(out, masks, |out, mask| words(out, mask))?;
                    // Sorted, so that the file depends on the model alone.
                    let mut sorted: Vec<_> = rows[phase.index()].iter().collect();
                    sorted.sort_unstable_by_key(|(key, _)| **key);
                    list(out, sorted.into_iter(), |out, (key, row)| {
                        words(out, key)?;
                        self.write_row(row, out)
                    })?;
                }
                Ok(())
            },
        )
    }

    fn write_row(&self, row: crate::rows::Row<'_, W, ()>, out: &mut dyn Write) -> io::Result<()> {
        let mut moves = Vec::new();
        row.for_each(|delta, _| moves.push(delta.words));
        list(out, moves.iter(), |out, delta| words(out, delta))?;
        let counts = row.effects().counts;
        number(out, (counts.moved || !moves.is_empty()).into())?;
        let violations = self.violations(counts.violations).iter();
        let assertions =
            violations.filter(|blame| blame.violation.kind == ViolationKind::Assertion);
        let sites = assertions.map(|blame| blame.violation.site.map_or(u32::MAX, |site| site.0));
        let sites: Vec<u32> = sites.collect();
        list(out, sites.into_iter(), |out, site| {
            number(out, site as usize)
        })
    }
}

fn write_field(field: crate::Field, out: &mut dyn Write) -> io::Result<()> {
    let mut place = field.place().into_iter();
    place.try_for_each(|part| number(out, part as usize))
}

fn write_flags(flags: &[bool], out: &mut dyn Write) -> io::Result<()> {
    list(out, flags.iter(), |out, &flag| {
        out.write_all(&[flag.into()])
    })
}
