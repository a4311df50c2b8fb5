//! The sorts of channels: whatever may hold the number of a channel has the sort of that channel.
//!
//! An exchange moves the contents of a channel as it renames its number, and it renames the values of
//! one sort alike. So a statement must not come by the number of a channel in a value of another sort.
//! Numbers of channels are found in variables and messages of the root; later ones are copies of
//! these, or were written as numbers, or computed.

use super::infer::{Constraint, Inference, Message};
use super::root::Root;
use super::sorts::Sort;
use crate::layout::Display;
use crate::model::Location;

impl Inference<'_> {
    /// Unify the sorts of channels with those of the variables that hold them in the root.
    pub(super) fn unify_channels(&mut self, root: &Root) {
        self.channels = root.channels.iter().map(|_| self.sorts.fresh()).collect();
        for (row, (_, ty)) in root.channels.iter().enumerate() {
            for (number, field) in self.model.channel_type(*ty).fields.iter().enumerate() {
                let sort = self.sorts.field(self.channels[row], number);
                let (constraint, location) = (Constraint::Kept(field.scalar), Location::default());
                self.uses.push(super::infer::Use {
                    sort,
                    constraint,
                    location,
                });
            }
        }
        for (sort, value) in self.held_in_variables(root, |display| display == Display::Channel) {
            self.unify_value(sort, value);
        }
    }

    /// Unify the sorts of channels with those of all values that are used as channels and may be their
    /// number, after the statements were analysed.
    pub(super) fn unify_addressed(&mut self, root: &Root) {
        // Sorts only ever become fewer.
        loop {
            let before = self.sorts.count();
            for sort in self.addressed.clone() {
                for value in self.values_of(sort, root) {
                    self.unify_value(sort, value);
                }
            }
            if self.sorts.count() == before {
                break;
            }
        }
        self.count_fields(root);
    }

    /// A message that is sent with fewer fields than its channel has goes through, with a 0 for what is
    /// missing, and so does one that is received with more: the 0 may be a name.
    fn count_fields(&mut self, root: &Root) {
        let counts = |message: &Message| {
            let channels = self.channels.iter().zip(&root.channels);
            let own = channels.filter(|(channel, _)| {
                self.sorts.root(**channel) == self.sorts.root(message.channel)
            });
            own.map(|(_, (_, ty))| self.model.channel_type(*ty).fields.len())
                .collect::<Vec<usize>>()
        };
        let short = |m: &&Message| counts(m).iter().any(|fields| *fields > m.fields);
        let long = |m: &&Message| counts(m).iter().any(|fields| *fields < m.fields);
        let found = (self.sent.iter().find(short)).or_else(|| self.received.iter().find(long));
        if let Some(message) = found {
            let reason = "a message and its channel differ in their number of fields";
            self.hopeless.get_or_insert((message.location, reason));
        }
    }

    fn unify_value(&mut self, sort: Sort, value: i32) {
        let row = usize::try_from(value).ok().and_then(|v| v.checked_sub(1));
        if let Some(&channel) = row.and_then(|row| self.channels.get(row)) {
            self.sorts.unite(sort, channel);
        }
    }

    /// The values that a sort may have apart from copies, also as they come out of variables and
    /// fields that are too small for them.
    fn values_of(&self, sort: Sort, root: &Root) -> Vec<i32> {
        let values = self.given_values(sort, root);
        let is_it = |other: Sort| self.sorts.root(other) == self.sorts.root(sort);
        let mut all = values.clone();
        for used in self.uses.iter().filter(|used| is_it(used.sort)) {
            if let Constraint::Kept(scalar) = used.constraint {
                all.extend(values.iter().map(|value| scalar.truncate(*value)));
            }
        }
        all
    }

    /// The values that a sort may have apart from copies.
    pub(super) fn given_values(&self, sort: Sort, root: &Root) -> Vec<i32> {
        let is_it = |other: Sort| self.sorts.root(other) == self.sorts.root(sort);
        let held = self.held_in_variables(root, |_| true);
        let held = held.into_iter().chain(self.held_in_messages(root));
        let mut values: Vec<i32> = (held.filter(|(sort, _)| is_it(*sort)))
            .map(|(_, value)| value)
            .collect();
        for used in self.uses.iter().filter(|used| is_it(used.sort)) {
            match used.constraint {
                Constraint::Number(number, _) => values.push(number),
                Constraint::Choice(row) => values.extend(&self.choices[row]),
                Constraint::Range(first, last) => values.extend(first..=last),
                Constraint::Breaks(_) => values.extend(1..=self.channels.len() as i32),
                Constraint::Kept(_) | Constraint::Index(_) => {}
            }
        }
        for (process, pid) in root.processes.iter().zip(0..) {
            if is_it(self.pids[process.proctype.index()]) {
                values.push(pid);
            }
        }
        values
    }

    /// What variables hold in the root, with their sorts.
    fn held_in_variables(&self, root: &Root, shown: impl Fn(Display) -> bool) -> Vec<(Sort, i32)> {
        let mut found = Vec::new();
        let leaves = self.leaves.iter().map(|(_, leaf)| leaf);
        for leaf in leaves.filter(|leaf| shown(leaf.display)) {
            for base in root.bases(leaf.owner) {
                let values = (leaf.offsets())
                    .map(|offset| leaf.scalar.read(&root.state, (base + offset) as usize));
                found.extend(values.map(|value| (leaf.sort, value)));
            }
        }
        found
    }

    /// What messages hold in the root, with the sorts of their fields.
    fn held_in_messages(&self, root: &Root) -> Vec<(Sort, i32)> {
        let mut found = Vec::new();
        for (row, (base, ty)) in root.channels.iter().enumerate() {
            let ty = self.model.channel_type(*ty);
            // Slots without a message are clear, and no channel has the number 0.
            for slot in 0..ty.capacity {
                for (number, field) in ty.fields.iter().enumerate() {
                    let start = base + ty.length_size() + slot * ty.message_size();
                    let value = field
                        .scalar
                        .read(&root.state, (start + field.offset) as usize);
                    let sort = self.sorts.known_field(self.channels[row], number);
                    found.extend(sort.map(|sort| (sort, value)));
                }
            }
        }
        found
    }
}
