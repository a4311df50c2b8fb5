//! Clusters of processes as the text of a model names them.
//!
//! A comment `/*@cluster Join[2] Leaf[5] Leaf[6]*/`, or one to the end of its line, names a cluster:
//! processes by their pids, or all of a proctype. Spin does not see it. Where there are such
//! comments, the hierarchy of clusters is made of them.

use model::Model;
use model::show::proctype_name;
use reduce::Named;

/// The clusters that a text names, or what is wrong with one.
pub fn read(text: &str, model: &Model) -> Result<Vec<Vec<Named>>, String> {
    comments(text)
        .map(|names| {
            let names = names.split_whitespace();
            let cluster: Vec<Named> = names
                .map(|name| find(name, model))
                .collect::<Result<_, _>>()?;
            match cluster.is_empty() {
                true => Err("@cluster names no processes".to_owned()),
                false => Ok(cluster),
            }
        })
        .collect()
}

/// What stands behind `@cluster` in comments that begin with it.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("@cluster").filter_map(|(at, word)| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let rest = &text[at + word.len()..];
        if before.ends_with("/*") {
            rest.split("*/").next()
        } else if before.ends_with("//") {
            rest.lines().next()
        } else {
            None
        }
    })
}

/// The processes of a name: `P`, or `P[3]`.
fn find(name: &str, model: &Model) -> Result<Named, String> {
    let (proctype, pid) = match name.split_once('[') {
        None => (name, None),
        Some((proctype, rest)) => {
            let pid = rest.strip_suffix(']').and_then(|pid| pid.parse().ok());
            let unknown = || {
                format!(
                    "@cluster: expected a process such as P or P[3], found \
                                      {name}"
                )
            };
            (proctype, Some(pid.ok_or_else(unknown)?))
        }
    };
    let kinds = model.proctypes.iter();
    let kind = kinds.map(proctype_name).position(|known| known == proctype);
    match kind {
        Some(kind) => Ok(Named { kind, pid }),
        None => Err(format!("@cluster: there is no proctype {proctype}")),
    }
}
