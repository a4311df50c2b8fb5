//! Reads the report of `pan`, the verifier that Spin generates.

use crate::outcome::{Counts, FirstError};

/// What the report says, before anybody judges it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The numbers of the report.
    pub counts: Counts,
    /// Error events.
    pub errors: u64,
    /// The first message.
    pub first_error: Option<FirstError>,
    /// Bytes of the state vector.
    pub vector: u64,
    /// The search ran to its end.
    pub complete: bool,
    /// A path was cut at the depth limit.
    pub truncated: bool,
    /// Some index was out of range.
    pub bad_index: bool,
    /// Memory was used up.
    pub out_of_memory: bool,
    /// The state vector did not fit.
    pub vector_too_small: bool,
}

/// Reads a report line by line; `None` if no search took place.
///
/// The line with the state vector belongs to every report and to nothing else, so it
/// decides: the exit status does not, being 1 also after some searches that ran.
pub fn parse<S: AsRef<str>>(lines: impl IntoIterator<Item = S>) -> Option<Report> {
    let mut report = Report {
        complete: true,
        ..Report::default()
    };
    let mut searched = false;
    for line in lines {
        let line = line.as_ref();
        if searched {
            read_count(line, &mut report.counts);
        } else if let Some(rest) = line.strip_prefix("State-vector ") {
            searched = true;
            read_summary(rest, &mut report)?;
        } else if line.starts_with("pan:") {
            read_message(line, &mut report);
        } else if line.starts_with("error: max search depth too small") {
            report.truncated = true;
        } else if line.starts_with("Warning: Search not completed") {
            report.complete = false;
        }
    }
    searched.then_some(report)
}

/// `28 byte, depth reached 17, errors: 19`
fn read_summary(rest: &str, report: &mut Report) -> Option<()> {
    let (vector, rest) = rest.split_once(" byte, depth reached ")?;
    let (depth, errors) = rest.split_once(", errors: ")?;
    report.vector = vector.parse().ok()?;
    report.counts.depth = depth.parse().ok()?;
    report.errors = errors.trim().parse().ok()?;
    Some(())
}

/// `81 states, stored` and its siblings.
///
/// Numbers come with eight digits: from 10^8 on they are rounded and look like `1.2345e+08`.
fn read_count(line: &str, counts: &mut Counts) {
    let Some((number, what)) = line.trim_start().split_once(' ') else {
        return;
    };
    // A search for cycles comes to states more than once, and says so.
    let what = what.split(" (").next().unwrap_or_default();
    let field = match what {
        "states, stored" => &mut counts.stored,
        "states, matched" => &mut counts.matched,
        "transitions" => &mut counts.transitions,
        "atomic steps" => &mut counts.atomic,
        _ => return,
    };
    if let Ok(value) = number.parse::<f64>() {
        *field = value as u64;
    }
}

/// `pan:1: invalid end state (at depth 3)`, or a complaint about a limit.
///
/// A complaint may stand behind `pan: resizing hashtable to -w26.. ` on the same line.
fn read_message(line: &str, report: &mut Report) {
    report.out_of_memory |=
        line.contains("pan: reached -DMEMLIM bound") || line.contains("pan: out of memory");
    report.vector_too_small |= line.contains("VECTORSZ");
    report.bad_index |= line.contains("invalid array index");
    if report.first_error.is_none() {
        report.first_error = error_line(line);
    }
}

fn error_line(line: &str) -> Option<FirstError> {
    let (number, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let (message, depth) = rest.rsplit_once(" (at depth ")?;
    Some(FirstError {
        message: message.to_owned(),
        depth: depth.strip_suffix(')')?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Option<Report> {
        parse(text.lines())
    }

    const COMPLETE: &str = "\
pan:1: assertion violated (x!=3) (at depth 7)
pan:3: invalid end state (at depth 15)

(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
\tnever claim         \t- (not selected)

State-vector 28 byte, depth reached 17, errors: 19
       81 states, stored
       64 states, matched
      145 transitions (= stored+matched)
        2 atomic steps
hash conflicts:         0 (resolved)
";

    #[test]
    fn complete_search() {
        let expected = Report {
            counts: Counts {
                stored: 81,
                matched: 64,
                transitions: 145,
                atomic: 2,
                depth: 17,
            },
            errors: 19,
            first_error: Some(FirstError {
                message: "assertion violated (x!=3)".to_owned(),
                depth: 7,
            }),
            vector: 28,
            complete: true,
            ..Report::default()
        };
        assert_eq!(report(COMPLETE), Some(expected));
    }

    #[test]
    fn error_in_the_initial_state_has_depth_minus_one() {
        let text = format!("pan:1: invalid end state (at depth -1)\n{COMPLETE}");
        let first = report(&text).and_then(|report| report.first_error);
        assert_eq!(first.map(|first| first.depth), Some(-1));
    }

    #[test]
    fn refusal_is_no_report() {
        let text = "error: proctype ':init:' line 1, state 2: has unconditional self-loop\n\n\
                    pan: elapsed time 1.72e+07 seconds\npan: rate         0 states/second\n";
        assert_eq!(report(text), None);
        assert_eq!(report(""), None);
    }

    #[test]
    fn a_run_time_error_ends_the_search() {
        let text = format!(
            "pan:1: block in d_step seq (at depth 0)\n\nWarning: Search not completed\n{COMPLETE}"
        );
        let report = report(&text).expect("a report");
        assert!(!report.complete && !report.out_of_memory && !report.truncated);
        assert_eq!(
            report.first_error.map(|first| first.message),
            Some("block in d_step seq".to_owned())
        );
    }

    #[test]
    fn limits_are_recognised() {
        let memory = format!("pan: reached -DMEMLIM bound\n\t6.2e+09 bytes used\n{COMPLETE}");
        assert!(report(&memory).is_some_and(|report| report.out_of_memory));
        let table = format!("pan: resizing hashtable to -w26.. {memory}");
        assert!(report(&table).is_some_and(|report| report.out_of_memory));
        let depth = format!("error: max search depth too small\n{COMPLETE}");
        assert!(report(&depth).is_some_and(|report| report.truncated));
        let vector = format!(
            "pan: error, VECTORSZ too small, recompile pan.c with -DVECTORSZ=N with N>4100\n\
             pan:1: aborting (at depth 0)\n{COMPLETE}"
        );
        assert!(report(&vector).is_some_and(|report| report.vector_too_small));
    }

    #[test]
    fn array_index_is_recognised_behind_other_errors() {
        let text = format!(
            "pan:1: invalid end state (at depth 1)\n\
             pan:2: assertion violated - invalid array index (at depth 1)\n{COMPLETE}"
        );
        assert!(report(&text).is_some_and(|report| report.bad_index));
    }

    #[test]
    fn a_search_for_cycles_visits_states_again() {
        let text = "State-vector 28 byte, depth reached 9, errors: 0\n\
                    17 states, stored (24 visited)\n16 states, matched\n\
                    40 transitions (= visited+matched)\n0 atomic steps\n";
        let counts = report(text).map(|report| report.counts).expect("a report");
        assert_eq!(
            (counts.stored, counts.matched, counts.transitions),
            (17, 16, 40)
        );
    }

    #[test]
    fn large_numbers_are_in_float_form() {
        let text = "State-vector 28 byte, depth reached 9999, errors: 0\n\
                    1.2345679e+08 states, stored\n\
                    2.5e+08 states, matched\n\
                    3.7345679e+08 transitions (= stored+matched)\n\
                     99999999 atomic steps\n";
        let counts = report(text).map(|report| report.counts);
        let expected = Counts {
            stored: 123_456_790,
            matched: 250_000_000,
            transitions: 373_456_790,
            atomic: 99_999_999,
            depth: 9999,
        };
        assert_eq!(counts, Some(expected));
    }
}
