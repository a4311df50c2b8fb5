//! Symmetry that somebody declares: `// @symmetric P, Q` in a comment, which Spin passes over.
//!
//! A declaration asks for nothing that is not found anyway. It says that the processes of a proctype
//! are meant to be exchangeable, and it is an error if they are not.

use model::Model;
use model::symmetry::{Symmetry, Watched};

/// What a declaration begins with.
const WORD: &str = "@symmetric";

/// A proctype that is declared to be symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Declaration {
    name: String,
    /// The line, from 1.
    line: usize,
}

/// Check the declarations in the text of a model. An error says which one is wrong, and the line
/// that makes it so.
pub fn check(model: &Model, path: &str, text: &str) -> Result<(), String> {
    let declared = declarations(text);
    if declared.is_empty() {
        return Ok(());
    }
    let found = Symmetry::find(model, &Watched::default());
    for Declaration { name, line } in declared {
        let proctypes = found.scalarsets.iter().flat_map(|set| &set.proctypes);
        if proctypes
            .into_iter()
            .any(|id| model.proctype(*id).name == name)
        {
            continue;
        }
        let broken = found.broken.iter().find(|broken| broken.candidate == name);
        let reason = match broken {
            Some(broken) => format!("{} ({})", broken.reason, model.locate(broken.location)),
            None if model.proctypes.iter().any(|p| p.name == name) => {
                "it has fewer than two processes".to_owned()
            }
            None => "there is no such proctype".to_owned(),
        };
        return Err(format!(
            "{path}:{line}: `{name}` is not symmetric: {reason}"
        ));
    }
    Ok(())
}

/// The declarations in a text.
fn declarations(text: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(at) = line.find(WORD) else {
            continue;
        };
        if !line[..at].contains("//") && !line[..at].contains("/*") {
            continue;
        }
        let names = line[at + WORD.len()..]
            .split("*/")
            .next()
            .unwrap_or_default();
        let names = names
            .split([',', ' ', '\t'])
            .filter(|name| !name.is_empty());
        found.extend(names.map(|name| Declaration {
            name: name.to_owned(),
            line: number,
        }));
    }
    found
}
