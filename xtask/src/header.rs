//! The expectations at the head of a corpus model.
//!
//! A header is the leading `//` lines of a file: free text, `// expect: KEY VALUE` lines, and
//! one `// spin: COMMAND` line that gets the numbers again.

use crate::outcome::{Outcome, Search, Verdict};
use crate::question::Question;
use crate::spin;

/// The expectations that are recorded; lines with other keys belong to somebody else.
const KEYS: [&str; 7] = [
    "verdict",
    "errors",
    "stored",
    "matched",
    "transitions",
    "atomic",
    "depth",
];

/// The text of the model `name` with the expectations that `outcome` gives it.
///
/// Free text and foreign expectations stay, as does everything behind the header. An outcome
/// without a usable verdict is an error, because it must not become an expectation.
pub fn rewrite(text: &str, name: &str, outcome: &Outcome) -> Result<String, String> {
    let expectations = expectations(outcome)?;
    let vector = match outcome {
        Outcome::Accepted(search) => search.vector,
        _ => 0,
    };
    let (header, body) = split(text);
    let foreign = |line: &&str| key(line).is_some_and(|key| !KEYS.contains(&key));
    let free = |line: &&str| key(line).is_none() && !line.starts_with("// spin:");

    let mut lines: Vec<String> = Vec::new();
    lines.extend(header.iter().copied().filter(free).map(str::to_owned));
    lines.extend(
        expectations
            .iter()
            .map(|(key, value)| format!("// expect: {key} {value}")),
    );
    lines.extend(header.iter().copied().filter(foreign).map(str::to_owned));
    lines.push(format!(
        "// spin: {}",
        spin::command_line(name, vector, &Question::Safety)
    ));
    Ok(lines.join("\n") + "\n" + body)
}

/// The lines of the header, and the rest of the text.
pub fn split(text: &str) -> (Vec<&str>, &str) {
    let mut header = Vec::new();
    let mut rest = text;
    while rest.starts_with("//") {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        header.push(line.trim_end());
        rest = after;
    }
    (header, rest)
}

/// The key of an `expect` line.
fn key(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("// expect:")?;
    Some(rest.split_whitespace().next().unwrap_or(""))
}

fn expectations(outcome: &Outcome) -> Result<Vec<(&'static str, String)>, String> {
    let verdict = outcome.verdict()?;
    if verdict == Verdict::Inconclusive {
        return Err("the search was cut at the depth limit".to_owned());
    }
    let mut list = vec![("verdict", verdict.word().to_owned())];
    if let Outcome::Accepted(search) = outcome {
        list.extend(
            numbers(search)
                .into_iter()
                .map(|(key, number)| (key, number.to_string())),
        );
    }
    Ok(list)
}

/// The numbers that mean something: none after a crash, only the errors after a search that
/// ended early or left its memory.
fn numbers(search: &Search) -> Vec<(&'static str, u64)> {
    let counts = &search.counts;
    let all = vec![
        ("errors", search.errors),
        ("stored", counts.stored),
        ("matched", counts.matched),
        ("transitions", counts.transitions),
        ("atomic", counts.atomic),
        ("depth", counts.depth),
    ];
    let meaningful = if search.counts_are_meaningful() {
        all.len()
    } else if search.crashed {
        0
    } else {
        1
    };
    all.into_iter().take(meaningful).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Counts, Stage};

    fn searched(errors: u64) -> Search {
        Search {
            counts: Counts {
                stored: 123,
                matched: 12,
                transitions: 135,
                atomic: 0,
                depth: 11,
            },
            errors,
            vector: 20,
            ..Search::default()
        }
    }

    #[track_caller]
    fn check(text: &str, outcome: Outcome, expected: &str) {
        let new = rewrite(text, "m.pml", &outcome);
        assert_eq!(new.as_deref(), Ok(expected));
        let again = rewrite(expected, "m.pml", &outcome);
        assert_eq!(
            again.as_deref(),
            Ok(expected),
            "a second time changes nothing"
        );
    }

    const SPIN: &str = "// spin: spin -o1 -o2 -o3 -a m.pml && \
        gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0\n";
    const NUMBERS: &str = "// expect: stored 123\n// expect: matched 12\n\
        // expect: transitions 135\n// expect: atomic 0\n// expect: depth 11\n";

    #[test]
    fn a_new_header_goes_to_the_top() {
        check(
            "init { skip }\n// not in the header\n",
            Outcome::Accepted(searched(0)),
            &format!(
                "// expect: verdict holds\n// expect: errors 0\n{NUMBERS}{SPIN}\
                 init {{ skip }}\n// not in the header\n"
            ),
        );
    }

    #[test]
    fn old_expectations_are_replaced_and_the_rest_stays() {
        check(
            "// A model\n// expect: stored 7\n// expect: ltl p holds\n// spin: old\n// of two\n\nbody",
            Outcome::Accepted(searched(2)),
            &format!(
                "// A model\n// of two\n// expect: verdict violated\n// expect: errors 2\n\
                 {NUMBERS}// expect: ltl p holds\n{SPIN}\nbody"
            ),
        );
    }

    #[test]
    fn a_rejection_has_no_numbers() {
        let outcome = Outcome::Rejected {
            stage: Stage::Spin,
            message: "syntax error".to_owned(),
        };
        check(
            "// Bad\n// expect: stored 7\ninit",
            outcome,
            &format!("// Bad\n// expect: verdict rejected\n{SPIN}init"),
        );
    }

    #[test]
    fn numbers_without_meaning_are_left_out() {
        let ended = Search {
            ended: true,
            ..searched(1)
        };
        check(
            "// M\ninit",
            Outcome::Accepted(ended),
            &format!("// M\n// expect: verdict violated\n// expect: errors 1\n{SPIN}init"),
        );
        let crashed = Search {
            crashed: true,
            ..searched(0)
        };
        check(
            "// M\ninit",
            Outcome::Accepted(crashed),
            &format!("// M\n// expect: verdict violated\n{SPIN}init"),
        );
    }

    #[test]
    fn no_verdict_is_no_expectation() {
        assert!(rewrite("init", "m.pml", &Outcome::EmbeddedC).is_err());
        let truncated = Search {
            truncated: true,
            ..searched(0)
        };
        assert!(rewrite("init", "m.pml", &Outcome::Accepted(truncated)).is_err());
    }

    #[test]
    fn a_large_state_vector_is_part_of_the_command() {
        let large = Search {
            vector: 2000,
            ..searched(0)
        };
        let text = rewrite("init", "m.pml", &Outcome::Accepted(large));
        assert!(text.is_ok_and(|text| text.contains("-DVECTORSZ=")));
    }
}
