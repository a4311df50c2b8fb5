//! The files of a check: traces of counterexamples, and paths that are looked at before it begins.
//!
//! A trace is called `MODEL.PROPERTY.trace.json` and lies in the current directory, or in that of
//! `--trace DIR`. Only a trace of the same model is replaced; where another model of that name has
//! been, the name gets a number. Files are written aside and moved into place, so that a full disk
//! leaves no half of one.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use checker::event::Counterexample;
use checker::options::Named;
use checker::property::Property;
use checker::trace::file::{FileProperty, Stated};
use checker::trace::{TraceFile, print, trail};
use checker::{PropertyVerdict, Report};
use serde::Deserialize;

use super::{Args, shown};

/// The usual endings of trace files.
const ENDINGS: [&str; 2] = [".trace.json", ".json"];
/// The most trace files of one check.
const MOST_TRACES: usize = 100;
/// The most models of one name whose traces lie in one directory.
const MOST_MODELS: u32 = 1000;
/// The most numbers in a row without a trace, below the highest one.
const MOST_MISSING: u32 = 8;
/// The longest name of a property in that of a file.
const LONGEST_SLUG: usize = 40;

/// Say what is wrong with the paths that a check would write to or resume from.
pub(super) fn check_paths(args: &Args) -> Result<(), String> {
    let output = &args.output;
    if let Some(path) = &output.trace {
        writable("--trace", path)?;
    }
    if let Some(path) = &output.trail {
        writable("--trail", path)?;
    }
    if let Some(path) = &args.check.search.checkpoint {
        writable("--checkpoint", path)?;
    }
    if let Some(path) = &args.check.search.resume {
        let opened = File::open(path);
        opened.map_err(|error| format!("--resume {}: {error}", shown(path)))?;
    }
    Ok(())
}

/// Whether a file could be written, or one in a directory.
fn writable(option: &str, path: &Path) -> Result<(), String> {
    let fails = |error: io::Error| format!("{option} {}: {error}", shown(path));
    let directory = match path.is_dir() {
        true => path,
        false => parent(path),
    };
    let probe = aside(&directory.join("probe"));
    File::create_new(&probe).map_err(fails)?;
    fs::remove_file(&probe).map_err(fails)
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A name beside a file that no other process uses.
fn aside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Write a file aside and move it into place with `place`.
fn write_aside(
    path: &Path,
    write: impl FnOnce(&Path) -> io::Result<()>,
    place: impl FnOnce(&Path) -> io::Result<PathBuf>,
) -> io::Result<PathBuf> {
    let temporary = aside(path);
    let placed = write(&temporary).and_then(|()| place(&temporary));
    if placed.is_err() {
        // It may not even be there.
        let _ = fs::remove_file(&temporary);
    }
    placed
}

/// Where the traces of a counterexample are, of all models of a name.
struct Place<'a> {
    directory: &'a Path,
    model: &'a str,
    slug: &'a str,
}

impl<'a> Place<'a> {
    fn new(directory: &'a Path, model: &'a str, slug: &'a str) -> Place<'a> {
        Place {
            directory,
            model,
            slug,
        }
    }

    /// The trace of the first, second, ... model of the name.
    fn path(&self, copy: u32) -> PathBuf {
        let Place { model, slug, .. } = self;
        let ending = ENDINGS[0];
        self.directory.join(match copy {
            1 => format!("{model}.{slug}{ending}"),
            copy => format!("{model}-{copy}.{slug}{ending}"),
        })
    }

    /// Those that are there. The trace of another model may have been removed, so a number that is
    /// missing does not end them; but few are ever missing.
    fn copies(&self) -> impl Iterator<Item = PathBuf> {
        let mut missing = 0;
        (1..MOST_MODELS)
            .map(|copy| self.path(copy))
            .map_while(move |path| {
                let exists = path.exists();
                missing = if exists { 0 } else { missing + 1 };
                (missing <= MOST_MISSING).then_some((path, exists))
            })
            .filter_map(|(path, exists)| exists.then_some(path))
    }
}

/// Where the traces of a check go, and which were written.
pub(super) struct Traces<'a> {
    args: &'a Args,
    /// For each counterexample its file, or why there is none.
    written: Vec<Result<PathBuf, String>>,
    /// How many counterexamples of a property there were.
    counts: HashMap<usize, u32>,
    /// The names of the properties in those of files.
    slugs: OnceCell<Vec<String>>,
}

impl<'a> Traces<'a> {
    pub(super) fn new(args: &'a Args) -> Traces<'a> {
        Traces {
            args,
            written: Vec::new(),
            counts: HashMap::new(),
            slugs: OnceCell::new(),
        }
    }

    /// Write the trace of a counterexample. The error says why there is none.
    pub(super) fn write(&mut self, found: &Counterexample<'_>) -> Result<PathBuf, String> {
        let count = self.counts.entry(found.property).or_default();
        *count += 1;
        let number = *count;
        let result = match self.written.len() < MOST_TRACES {
            true => self.place(found, number),
            false => Err(format!("more than {MOST_TRACES} counterexamples")),
        };
        self.written.push(result.clone());
        result
    }

    fn place(&self, found: &Counterexample<'_>, number: u32) -> Result<PathBuf, String> {
        let file = self.file(found);
        let slugs = self.slugs.get_or_init(|| {
            let titles: Vec<String> = found.plan.properties.iter().map(Property::title).collect();
            unique_slugs(titles.iter().map(String::as_str))
        });
        let slug = match number {
            1 => slugs[found.property].clone(),
            number => format!("{}.{number}", slugs[found.property]),
        };
        let cannot =
            |path: &Path, error: io::Error| format!("cannot write {}: {error}", shown(plain(path)));
        let given = self
            .args
            .output
            .trace
            .as_deref()
            .filter(|path| !path.is_dir());
        let Some(given) = given else {
            let directory = self.args.output.trace.as_deref().unwrap_or(Path::new("."));
            let model = model_stem(&self.args.model);
            let place = Place::new(directory, &model, &slug);
            let first = place.path(1);
            let write = |path: &Path| file.write(path);
            let written = write_aside(&first, write, |temporary| self.claim(temporary, &place));
            let written = written.map_err(|error| cannot(&first, error))?;
            return Ok(plain(&written).to_owned());
        };
        let path = match self.written.is_empty() {
            true => given.to_owned(),
            false => with_slug(given, &slug),
        };
        let write = |path: &Path| file.write(path);
        let place = |temporary: &Path| fs::rename(temporary, &path).map(|()| path.clone());
        write_aside(&path, write, place).map_err(|error| cannot(&path, error))
    }

    /// Move a file to where a trace of the same model is, or else to the first name that is free.
    fn claim(&self, temporary: &Path, place: &Place) -> io::Result<PathBuf> {
        let ours = place.copies().find(|path| self.is_ours(path));
        if let Some(path) = ours {
            fs::rename(temporary, &path)?;
            return Ok(path);
        }
        for copy in 1..MOST_MODELS {
            let path = place.path(copy);
            // A link, unlike a rename, never replaces what another process has just put there.
            match fs::hard_link(temporary, &path) {
                Ok(()) => {
                    fs::remove_file(temporary)?;
                    return Ok(path);
                }
                // A file system without links.
                Err(_) if !path.exists() => {
                    fs::rename(temporary, &path)?;
                    return Ok(path);
                }
                // Another run of the same model may have been faster.
                Err(_) if self.is_ours(&path) => {
                    fs::rename(temporary, &path)?;
                    return Ok(path);
                }
                Err(_) => {}
            }
        }
        Err(io::Error::other("too many models of this name"))
    }

    /// Whether a file is a trace of the model that is checked.
    fn is_ours(&self, path: &Path) -> bool {
        self.origin(path).is_some()
    }

    /// Where a trace of the model that is checked comes from; nothing for any other file.
    fn origin(&self, path: &Path) -> Option<Origin> {
        let file = BufReader::new(File::open(path).ok()?);
        let origin: Origin = serde_json::from_reader(file).ok()?;
        let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        (place(&origin.model) == place(&self.args.model)).then_some(origin)
    }

    fn file(&self, found: &Counterexample<'_>) -> TraceFile {
        let property = &found.plan.properties[found.property];
        let (trace, violation) = (&found.finding.trace, &found.finding.violation);
        let mut file = TraceFile::new(&self.args.model, found.loaded, trace, violation);
        if property.target().is_some() {
            let message = print::lasso(&property.title(), violation, trace);
            file = file.with_property(self.stated(property), message);
        }
        file.with_options(&self.args.check.source())
    }

    fn stated(&self, property: &Property) -> FileProperty {
        FileProperty {
            kind: property.kind.to_owned(),
            name: property.name.clone(),
            fairness: self.args.check.search.fairness.name().to_owned(),
        }
    }

    /// Write the first counterexample as a trail, if that is asked for.
    pub(super) fn write_trail(&self, found: &Counterexample<'_>) -> Result<(), String> {
        let Some(path) = self
            .args
            .output
            .trail
            .as_ref()
            .filter(|_| found.number == 0)
        else {
            return Ok(());
        };
        let property = &found.plan.properties[found.property];
        if property.target().is_some() {
            return Err(format!(
                "cannot write {}: a Spin trail would need the moves of Spin's own claim",
                shown(path)
            ));
        }
        let text = trail::write(found.loaded, &found.finding.trace, &found.finding.violation);
        let write = |path: &Path| File::create(path)?.write_all(text.as_bytes());
        let place = |temporary: &Path| fs::rename(temporary, path).map(|()| path.clone());
        let written = write_aside(path, write, place);
        written.map_err(|error| format!("cannot write {}: {error}", shown(path)))?;
        Ok(())
    }

    /// Remove the traces that an earlier check of the same model left of properties that this one
    /// decided and did not find violated again, and of those that the model no longer has.
    pub(super) fn remove_stale(&self, report: &Report) {
        if self
            .args
            .output
            .trace
            .as_deref()
            .is_some_and(|path| !path.is_dir())
        {
            return;
        }
        let directory = self.args.output.trace.as_deref().unwrap_or(Path::new("."));
        let model = model_stem(&self.args.model);
        // Nothing is known of the properties of a model that could not be read.
        let traces = traces_of(directory, &model);
        if report.properties.is_empty() || traces.is_empty() {
            return;
        }
        let slugs = unique_slugs(report.properties.iter().map(|p| p.title.as_str()));
        let rows: HashMap<&str, usize> = (slugs.iter().enumerate())
            .map(|(row, slug)| (slug.as_str(), row))
            .collect();
        let open: HashSet<String> = report
            .not_selected
            .iter()
            .map(|title| slug(title))
            .collect();
        let assertions = report.not_selected.iter().all(|title| title != "safety");
        for (path, name) in traces {
            let (slug, number) = match name.split_once('.') {
                Some((slug, number)) => (slug, number.parse().unwrap_or(0)),
                None => (name.as_str(), 1),
            };
            let is_stale = |origin: Origin| match rows.get(slug) {
                Some(&row) => {
                    let kept = self.counts.get(&row).copied().unwrap_or(0);
                    let verdict = report.properties[row].verdict;
                    verdict != PropertyVerdict::Inconclusive && number > kept
                }
                None => !open.contains(slug) && origin.was_of_the_model(&name, assertions),
            };
            if self.origin(&path).is_some_and(is_stale) {
                // It belongs to somebody else if it cannot be removed.
                let _ = fs::remove_file(&path);
            }
        }
    }

    /// Add the files to a report.
    pub(super) fn add_to(&self, report: &mut Report) {
        for (error, written) in report.errors.iter_mut().zip(&self.written) {
            match written {
                Ok(path) => error.trace = Some(shown(path)),
                Err(reason) => error.trace_error = Some(reason.clone()),
            }
        }
        for (row, property) in report.properties.iter_mut().enumerate() {
            let mut errors = report.errors.iter();
            let first = errors.find(|error| error.row == Some(row));
            property.trace = first.and_then(|error| error.trace.clone());
        }
    }
}

/// The part of a trace file that says where it comes from.
#[derive(Deserialize)]
struct Origin {
    model: PathBuf,
    #[serde(default)]
    formulas: Vec<String>,
    property: Option<FileProperty>,
    violation: Option<Stated>,
}

impl Origin {
    /// Whether a trace was named after an assertion or formula of the model; assertions only if
    /// they are looked at.
    fn was_of_the_model(&self, name: &str, assertions: bool) -> bool {
        match (&self.property, &self.violation) {
            (Some(property), _) => {
                let title = format!("ltl {}", property.name);
                property.kind == "ltl"
                    && self.formulas.is_empty()
                    && is_numbered(name, &slug(&title))
            }
            (None, Some(violation)) => {
                assertions && violation.kind == "assertion" && name.starts_with("assert-")
            }
            (None, None) => false,
        }
    }
}

/// The traces in a directory that are named after a model, with the rest of their names.
fn traces_of(directory: &Path, model: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let traces = entries.filter_map(|entry| {
        let name = entry.file_name();
        let rest = name.to_str()?.strip_prefix(model)?;
        let rest = rest.strip_suffix(ENDINGS[0])?;
        let (copy, rest) = rest.split_once('.')?;
        let is_copy = copy.is_empty()
            || copy
                .strip_prefix('-')
                .is_some_and(|number| number.parse::<u32>().is_ok());
        is_copy.then(|| (directory.join(&name), rest.to_owned()))
    });
    traces.collect()
}

/// Whether a name is that of a property, or with the numbers that may follow it.
fn is_numbered(name: &str, slug: &str) -> bool {
    let numbers = |c: char| c.is_ascii_digit() || c == '-' || c == '.';
    let rest = name.strip_prefix(slug);
    rest.is_some_and(|rest| rest.trim_start_matches(numbers).is_empty())
}

/// A path without a leading `./`.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The name of a model in those of its traces.
fn model_stem(model: &Path) -> String {
    match model.file_stem() {
        Some(stem) if stem != "-" => stem.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}

/// The names of properties in those of files: `assert-x-3`, and `assert-x-3-2` for the second that
/// would be called so. Further counterexamples of a property are `assert-x-3.2`, and so on.
fn unique_slugs<'a>(titles: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let unique = titles.map(|title| {
        let own = slug(title);
        let count = counts.entry(own.clone()).or_default();
        *count += 1;
        match *count {
            1 => own,
            same => format!("{own}-{same}"),
        }
    });
    unique.collect()
}

/// Letters, digits and single hyphens.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(LONGEST_SLUG);
    match slug.trim_end_matches('-') {
        "" => "property".to_owned(),
        slug => slug.to_owned(),
    }
}

/// The file of a further trace: `t.json` becomes `t-PROPERTY.json`.
fn with_slug(first: &Path, slug: &str) -> PathBuf {
    let name = first.file_name().unwrap_or_default().to_string_lossy();
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    let stem = stem.unwrap_or(&name);
    let rest = &name[stem.len()..];
    first.with_file_name(format!("{stem}-{slug}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_trace_files() {
        assert_eq!(model_stem(Path::new("some/dir/ring.v2.pml")), "ring.v2");
        assert_eq!(model_stem(Path::new("-")), "stdin");
        for (title, expected) in [
            ("assert x < 3", "assert-x-3"),
            ("ltl mutex_2", "ltl-mutex_2"),
            ("ltl [] (p -> <> q)", "ltl-p-q"),
            ("[] !", "property"),
        ] {
            assert_eq!(slug(title), expected);
        }
        let titles = ["assert x < 3", "ltl p", "assert x > 3"];
        let slugs = ["assert-x-3", "ltl-p", "assert-x-3-2"];
        assert_eq!(unique_slugs(titles.into_iter()), slugs);
        for (name, is_its) in [
            ("assert-x-3", true),
            ("assert-x-3-2.5", true),
            ("assert-x-3-y", false),
            ("assert-y", false),
        ] {
            assert_eq!(is_numbered(name, "assert-x-3"), is_its, "{name}");
        }
        assert_eq!(with_slug(Path::new("out/t"), "a"), Path::new("out/t-a"));
        assert_eq!(with_slug(Path::new("t.json"), "a"), Path::new("t-a.json"));
    }
}
