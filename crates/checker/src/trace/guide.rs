//! The steps of a file, ready to be executed in a model that has been read.

use std::io;
use std::path::{Path, PathBuf};

use space::Trace;

use super::file::{FileProperty, Stated, TraceFile};
use super::trail;
use crate::load::Loaded;

/// Longer trails are not read.
const LARGEST: u64 = 1 << 30;

/// Steps to follow, and what is known about them.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The steps.
    pub trace: Trace,
    /// The number of steps before the cycle, in a trail with one.
    pub cycle: Option<usize>,
    /// The violation that a trace file states.
    pub stated: Option<Stated>,
    /// The property that it violates, where that needs more than its last step.
    pub property: Option<FileProperty>,
    /// The trail was made with a claim, which is not executed.
    pub claim: bool,
    /// What the user should know, a sentence each without a full stop.
    pub remarks: Vec<String>,
}

/// The steps of a trace file.
pub fn from_trace(file: &TraceFile, loaded: &Loaded) -> Result<Guide, String> {
    let changed = file.changed_sources(loaded);
    let mut guide = Guide {
        stated: file.violation.clone(),
        property: file.property.clone(),
        cycle: file.cycle,
        ..Guide::default()
    };
    if changed.is_empty() {
        guide.trace = file.trace();
        return Ok(guide);
    }
    let remark = format!("{} changed since the trace was written", have(&changed));
    guide.trace = file
        .refit(&loaded.model)
        .map_err(|error| format!("the trace does not fit the model: {error} ({remark})"))?;
    guide.remarks.push(remark);
    Ok(guide)
}

fn have(names: &[String]) -> String {
    match names {
        [one] => format!("{one} has"),
        [most @ .., last] => format!("{} and {last} have", most.join(", ")),
        [] => "nothing has".to_owned(),
    }
}

/// Why a file cannot be read, in one line.
pub fn cannot_read(path: &Path, error: &io::Error) -> String {
    let text = error.to_string();
    // The number of the error helps nobody.
    let text = text.split(" (os error").next().unwrap_or_default();
    format!("cannot read {}: {text}", path.display())
}

/// The steps of a trail.
pub fn from_trail(path: &Path, loaded: &Loaded) -> Result<Guide, String> {
    let cannot = |error: io::Error| cannot_read(path, &error);
    if std::fs::metadata(path).map_err(cannot)?.len() > LARGEST {
        return Err(format!("cannot read {}: it is too large", path.display()));
    }
    let text = std::fs::read(path).map_err(cannot)?;
    let text = String::from_utf8_lossy(&text);
    let wrong = |error: trail::TrailError| format!("{}: {error}", path.display());
    let trail = trail::parse(&text).map_err(wrong)?;
    let followed = trail::follow(&loaded.model, &trail).map_err(wrong)?;
    let mut remarks = Vec::new();
    if trail.claim {
        remarks.push("the moves of the claim are skipped".to_owned());
    }
    Ok(Guide {
        trace: followed.trace,
        cycle: followed.cycle,
        stated: None,
        property: None,
        claim: trail.claim,
        remarks,
    })
}

/// Where the model of a trace file is: as it was given, else beside the trace file.
pub fn model_path(file: &TraceFile, trace_path: &Path) -> PathBuf {
    let given = PathBuf::from(&file.model);
    let beside = trace_path.parent().unwrap_or(Path::new(""));
    let name = given.file_name().map(PathBuf::from).unwrap_or_default();
    let candidates = [given.clone(), beside.join(&given), beside.join(name)];
    let mut there = candidates.into_iter().filter(|path| path.is_file());
    there.next().unwrap_or(given)
}
