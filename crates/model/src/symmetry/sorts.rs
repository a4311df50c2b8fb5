//! Sorts: which values are names of the same things.
//!
//! Every variable, every index of an array, every field of a message and the numbers of the
//! processes of a proctype have a sort. Sorts are united where values go from one to the other or
//! are compared. The sort of a channel has fields, which are united with it.

/// A sort, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sort(u32);

impl Sort {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All sorts, as a forest.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    parents: Vec<Sort>,
    /// The fields of messages, if it is a sort of channels. Of roots only.
    fields: Vec<Vec<Sort>>,
}

impl Sorts {
    /// A sort of its own.
    pub(super) fn fresh(&mut self) -> Sort {
        let sort = Sort(self.parents.len() as u32);
        self.parents.push(sort);
        self.fields.push(Vec::new());
        sort
    }

    /// How many there are that were not united with others.
    pub(super) fn count(&self) -> usize {
        let own = self.parents.iter().enumerate();
        own.filter(|(row, parent)| parent.index() == *row).count()
    }

    /// The sort that stands for all it was united with.
    pub(super) fn root(&self, mut sort: Sort) -> Sort {
        while self.parents[sort.index()] != sort {
            sort = self.parents[sort.index()];
        }
        sort
    }

    /// The sort of a field of messages in channels of a sort.
    pub(super) fn field(&mut self, channel: Sort, number: usize) -> Sort {
        let root = self.root(channel).index();
        while self.fields[root].len() <= number {
            let field = self.fresh();
            self.fields[root].push(field);
        }
        self.fields[root][number]
    }

    /// The sort of a field, if anybody asked for it.
    pub(super) fn known_field(&self, channel: Sort, number: usize) -> Option<Sort> {
        let fields = &self.fields[self.root(channel).index()];
        fields.get(number).map(|field| self.root(*field))
    }

    /// Make two sorts one, and the fields of their messages too.
    pub(super) fn unite(&mut self, a: Sort, b: Sort) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            self.parents[b.index()] = a;
            let moved = std::mem::take(&mut self.fields[b.index()]);
            for (number, field) in moved.into_iter().enumerate() {
                match self.fields[a.index()].get(number) {
                    Some(&known) => open.push((known, field)),
                    None => self.fields[a.index()].push(field),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_united_with_their_channels() {
        let mut sorts = Sorts::default();
        let (a, b) = (sorts.fresh(), sorts.fresh());
        let first = sorts.field(a, 0);
        let second = sorts.field(b, 1);
        sorts.unite(b, a);
        assert_eq!(sorts.root(a), sorts.root(b));
        let again = sorts.field(a, 1);
        assert_eq!(sorts.root(again), sorts.root(second));
        let again = sorts.field(b, 0);
        assert_eq!(sorts.root(again), sorts.root(first));
        assert_ne!(sorts.root(first), sorts.root(second));
    }
}
