//! What both tools are asked about a model: safety, or cycles of some kind.

use crate::tokens::tokens;

/// A question, with the flags that put it to each tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Everything that a search for safety finds.
    Safety,
    /// The same, with Spin's own partial-order reduction.
    Reduced,
    /// Executions that violate a property, perhaps only the weakly fair ones.
    Cycles(Property, bool),
}

/// A property that needs a search of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// The `never` claim.
    Never,
    /// Accept labels of processes.
    Acceptance,
    /// Progress labels.
    Progress,
    /// A formula, by its name, and whether there are other claims.
    Ltl(String, bool),
}

impl Question {
    /// The name in a report; nothing for safety.
    pub fn name(&self) -> String {
        let Question::Cycles(property, fair) = self else {
            return String::new();
        };
        let name = match property {
            Property::Never => "never".to_owned(),
            Property::Acceptance => "acceptance".to_owned(),
            Property::Progress => "progress".to_owned(),
            Property::Ltl(name, _) => format!("ltl {name}"),
        };
        match fair {
            true => format!(" ({name}, fair)"),
            false => format!(" ({name})"),
        }
    }

    /// What the C compiler is told.
    pub fn compile(&self) -> Vec<String> {
        let flags: &[&str] = match self {
            Question::Safety => &["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"],
            Question::Reduced => &["-DSAFETY", "-DNOCLAIM"],
            Question::Cycles(Property::Acceptance, _) => &["-DNOREDUCE", "-DNOCLAIM", "-DNFAIR=20"],
            Question::Cycles(Property::Progress, _) => &["-DNOREDUCE", "-DNP", "-DNFAIR=20"],
            Question::Cycles(..) => &["-DNOREDUCE", "-DNFAIR=20"],
        };
        flags.iter().map(|flag| (*flag).to_owned()).collect()
    }

    /// What the verifier is told. A formula that is violated by a finite execution is an
    /// assertion for Spin, so that those of the model cannot be passed over.
    pub fn search(&self) -> Vec<String> {
        let Question::Cycles(property, fair) = self else {
            return vec!["-m1000000".to_owned(), "-c0".to_owned()];
        };
        let mut flags = vec!["-m1000000", "-n", "-E"];
        flags.push(match property {
            Property::Progress => "-l",
            _ => "-a",
        });
        flags.extend(fair.then_some("-f"));
        match property {
            Property::Ltl(name, true) => flags.extend(["-N", name]),
            Property::Ltl(_, false) => {}
            _ => flags.push("-A"),
        }
        flags.into_iter().map(str::to_owned).collect()
    }

    /// What `spinor check` is told.
    pub fn check(&self) -> Vec<String> {
        let mut flags = match self {
            Question::Safety | Question::Reduced => vec!["--safety", "--all-errors"],
            Question::Cycles(Property::Never, _) => vec!["--never"],
            Question::Cycles(Property::Acceptance, _) => vec!["--acceptance"],
            Question::Cycles(Property::Progress, _) => vec!["--progress-cycles"],
            Question::Cycles(Property::Ltl(name, _), _) => vec!["--ltl", name],
        };
        if let Question::Cycles(_, true) = self {
            flags.extend(["--fairness", "weak"]);
        }
        flags.into_iter().map(str::to_owned).collect()
    }

    /// Whether Spin and spinor count the same states where nothing is violated.
    pub fn counts_are_comparable(&self) -> bool {
        matches!(self, Question::Safety)
    }
}

/// The questions about cycles that a model raises and both tools understand in the same way.
///
/// Left out, because Spin's answer is not about the model as written:
/// - `_nr_pr` counts the claim as a process;
/// - under fairness, a process that its priority or `provided` holds back is never passed over;
/// - under fairness, the end of an execution counts as a lack of progress in a claim with `np_`;
/// - assertions of the model are reported instead of a formula;
/// - with accept labels both in a claim and in processes, Spin takes them together.
pub fn about_cycles(text: &str) -> Vec<Question> {
    let words = tokens(text);
    let has = |word: &str| words.contains(&word);
    let labels = |prefix: &str| {
        let pairs = words.windows(2);
        pairs
            .filter(|pair| pair[0].starts_with(prefix) && pair[1] == ":")
            .count()
    };
    let claims = words
        .iter()
        .filter(|word| ["never", "ltl"].contains(word))
        .count();
    let held_back = has("priority") || has("provided");
    let accepts = labels("accept") > 0;
    let mut found = Vec::new();
    if has("_nr_pr") || has("set_priority") || has("_priority") {
        return found;
    }
    let mut ask = |property: Property, fair: bool| {
        found.push(Question::Cycles(property.clone(), false));
        if fair && !held_back {
            found.push(Question::Cycles(property, true));
        }
    };
    if claims == 1 && has("never") {
        ask(Property::Never, !has("np_"));
    }
    if claims == 0 && accepts {
        ask(Property::Acceptance, true);
    }
    if labels("progress") > 0 {
        ask(Property::Progress, true);
    }
    if has("ltl") && !has("never") && !accepts && !has("assert") {
        for pair in words
            .windows(2)
            .filter(|pair| pair[0] == "ltl" && pair[1] != "{")
        {
            ask(Property::Ltl(pair[1].to_owned(), claims > 1), true);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_follow_from_the_text() {
        let names =
            |text: &str| -> String { about_cycles(text).iter().map(Question::name).collect() };
        assert_eq!(names("active proctype P() { skip }"), "");
        assert_eq!(names("never { true }"), " (never) (never, fair)");
        assert_eq!(names("never { np_ }"), " (never)");
        assert_eq!(
            names("ltl p { [] x } ltl q { <> x }"),
            " (ltl p) (ltl p, fair) (ltl q) (ltl q, fair)"
        );
        assert_eq!(names("ltl p { [] x } init { assert(x) }"), "");
        assert_eq!(
            names("init { accept: progress_1: x = 1 }"),
            " (acceptance) (acceptance, fair) (progress) (progress, fair)"
        );
        assert_eq!(names("init priority 2 { accept: skip }"), " (acceptance)");
    }

    #[test]
    fn flags_of_both_tools() {
        let question = Question::Cycles(Property::Ltl("p".to_owned(), true), true);
        assert_eq!(question.search().join(" "), "-m1000000 -n -E -a -f -N p");
        assert_eq!(question.check().join(" "), "--ltl p --fairness weak");
        assert_eq!(Question::Safety.search().join(" "), "-m1000000 -c0");
    }
}
