//! The values that identify the processes of a candidate.
//!
//! Their numbers are such values, and so are the values of a parameter and the channels that a
//! variable holds, if no two processes have the same. Channels that lie in an array with members for
//! indices are found once it is known which values the members have as indices.

use std::collections::BTreeMap;

use super::infer::Inference;
use super::leaves::{Leaf, Owner};
use super::root::Root;
use super::solve::{Candidate, Objection, Role};
use super::sorts::Sort;
use crate::layout::Display;

const SHARED: &str = "its processes do not have exactly one channel each";

/// The values of a sort that name the processes of a candidate, one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Naming {
    pub(super) sort: Sort,
    /// A row of the candidates.
    pub(super) candidate: usize,
    /// In the order of the pids.
    pub(super) values: Vec<i32>,
}

/// The names that the processes of all candidates have themselves.
pub(super) fn of_processes(
    candidates: &[Candidate],
    inference: &Inference<'_>,
    root: &Root,
) -> Result<Vec<Naming>, Objection> {
    let mut namings = Vec::new();
    for (row, candidate) in candidates.iter().enumerate() {
        if candidate.set.is_none() {
            continue;
        }
        let pids = candidate.pids.iter().map(|pid| i32::from(*pid));
        namings.push(Naming {
            sort: (inference.sorts).root(inference.pids[candidate.proctype.index()]),
            candidate: row,
            values: pids.collect(),
        });
        let owner = Owner::Frame(candidate.proctype);
        let params = &inference.model.proctype(candidate.proctype).params;
        let leaves = inference.leaves.iter().map(|(_, leaf)| leaf);
        for leaf in leaves.filter(|leaf| leaf.owner == owner) {
            let is_channel = leaf.display == Display::Channel;
            let is_param = params.iter().any(|(offset, _)| *offset == leaf.origin);
            for offset in leaf.offsets().filter(|_| is_channel || is_param) {
                let values = (root.bases(owner).into_iter())
                    .map(|frame| leaf.scalar.read(&root.state, (frame + offset) as usize));
                let values: Vec<i32> = values.collect();
                let is_name = match is_channel {
                    true => is_family(&values).map_err(|reason| (vec![row], reason))?,
                    false => are_distinct(&values),
                };
                if is_name {
                    namings.push(Naming {
                        sort: inference.sorts.root(leaf.sort),
                        candidate: row,
                        values,
                    });
                }
            }
        }
    }
    Ok(namings)
}

/// The channels that the members of sets have in global arrays, with members for indices.
pub(super) fn of_arrays(
    candidates: &[Candidate],
    roles: &[Role],
    inference: &Inference<'_>,
    root: &Root,
) -> Result<Vec<Naming>, Objection> {
    let mut namings = Vec::new();
    let leaves = inference.leaves.iter().map(|(_, leaf)| leaf);
    let arrays = leaves.filter(|l| l.owner == Owner::Global && l.display == Display::Channel);
    for leaf in arrays {
        let sort = |dim: usize| inference.sorts.root(leaf.dims[dim].sort);
        let roles_of = |dim: usize| roles.iter().filter(move |role| role.sort == sort(dim));
        let named: Vec<usize> = (0..leaf.dims.len())
            .filter(|dim| roles_of(*dim).next().is_some())
            .collect();
        let row_of = |role: &Role| candidates.iter().position(|c| c.set == Some(role.set));
        match named[..] {
            [] => {}
            [dim] => {
                for role in roles_of(dim) {
                    let Some(row) = row_of(role) else {
                        continue;
                    };
                    for channels in by_member(leaf, dim, role, root) {
                        let objection = |reason| (vec![row], reason);
                        if is_family(&channels).map_err(objection)? {
                            let positions = candidates[row].positions.iter();
                            namings.push(Naming {
                                sort: inference.sorts.root(leaf.sort),
                                candidate: row,
                                values: positions.map(|at| channels[*at]).collect(),
                            });
                        }
                    }
                }
            }
            [dim, ..] => {
                let rows = roles_of(dim).filter_map(row_of).collect();
                return Err((
                    rows,
                    "channels are in an array with several dimensions indexed by \
                                   its processes",
                ));
            }
        }
    }
    Ok(namings)
}

/// The elements of an array that the members have as indices of one dimension, by position; one row
/// for each choice of the other indices.
fn by_member(leaf: &Leaf, dim: usize, role: &Role, root: &Root) -> Vec<Vec<i32>> {
    let mut rows: BTreeMap<Vec<u32>, Vec<i32>> = BTreeMap::new();
    for (offset, mut rest) in leaf.elements() {
        let index = rest.remove(dim) as i32;
        if let Some(position) = role.values.iter().position(|value| *value == index) {
            let row = (rows.entry(rest)).or_insert_with(|| vec![0; role.values.len()]);
            row[position] = leaf.scalar.read(&root.state, offset as usize);
        }
    }
    rows.into_values().collect()
}

/// Whether channels are one for each process; all may have the same, but not some of them.
fn is_family(channels: &[i32]) -> Result<bool, &'static str> {
    if channels.iter().all(|channel| *channel == channels[0]) {
        Ok(false)
    } else if are_distinct(channels) && !channels.contains(&0) {
        Ok(true)
    } else {
        Err(SHARED)
    }
}

/// Whether the members of a set have channels of the same kind in a role: whoever sends to the channel
/// of one could send to that of another.
///
/// A value that is used as the number of a channel is renamed only if it always is the number of a
/// channel of this sort, so that the contents can be exchanged with the names.
pub(super) fn fits_channels(
    role: &Role,
    inference: &Inference<'_>,
    root: &Root,
) -> Result<(), &'static str> {
    let sorts = &inference.sorts;
    let is_channel = |sort: &Sort| sorts.root(*sort) == role.sort;
    if !inference
        .channels
        .iter()
        .chain(&inference.addressed)
        .any(is_channel)
    {
        return Ok(());
    }
    let row = |value: &i32| {
        let row = usize::try_from(*value).ok()?.checked_sub(1)?;
        (inference.channels.get(row).is_some_and(is_channel)).then_some(row)
    };
    let rows: Option<Vec<usize>> = role.values.iter().map(row).collect();
    let model = inference.model;
    let ty = |row: usize| model.channel_type(root.channels[row].1);
    match rows {
        Some(rows) if rows.iter().all(|row| ty(*row) == ty(rows[0])) => Ok(()),
        _ => Err(SHARED),
    }
}

fn are_distinct(values: &[i32]) -> bool {
    (1..values.len()).all(|row| !values[..row].contains(&values[row]))
}
