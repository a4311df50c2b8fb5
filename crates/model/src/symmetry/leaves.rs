//! The variables of a model down to their scalars, with a sort for each and for its indices.

use super::sorts::{Sort, Sorts};
use crate::ids::{ExprId, ProctypeId};
use crate::layout::{Base, Display, Place, Scalar, VarKind, Variable};
use crate::model::Model;

/// Whose variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Owner {
    Global,
    /// Those of each process of the type.
    Frame(ProctypeId),
}

/// One dimension of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dim {
    pub(super) count: u32,
    pub(super) stride: u32,
    pub(super) sort: Sort,
}

/// A scalar, or an array of scalars, perhaps inside structures.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) owner: Owner,
    /// Where it lies if all indices are 0.
    pub(super) origin: u32,
    pub(super) scalar: Scalar,
    pub(super) display: Display,
    pub(super) sort: Sort,
    /// Outermost first.
    pub(super) dims: Vec<Dim>,
}

/// A leaf, by its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LeafId(pub(super) usize);

/// An index of a use of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subscript {
    Number(u32),
    Expr(ExprId),
}

/// A place as an element of a leaf.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) leaf: LeafId,
    pub(super) subscripts: Vec<Subscript>,
}

/// All leaves.
#[derive(Clone, Debug)]
pub(super) struct Leaves {
    pub(super) all: Vec<Leaf>,
}

impl Leaves {
    pub(super) fn new(model: &Model, sorts: &mut Sorts) -> Leaves {
        let mut leaves = Leaves { all: Vec::new() };
        leaves.add(Owner::Global, &model.globals, sorts);
        for (row, proctype) in model.proctypes.iter().enumerate() {
            let owner = Owner::Frame(ProctypeId(row as u32));
            leaves.add(owner, &proctype.variables, sorts);
        }
        leaves
    }

    fn add(&mut self, owner: Owner, variables: &[Variable], sorts: &mut Sorts) {
        let mut open = vec![(variables, 0, Vec::new())];
        while let Some((variables, base, dims)) = open.pop() {
            for variable in variables {
                let mut dims: Vec<Dim> = dims.clone();
                if let Some(count) = variable.count {
                    dims.push(Dim {
                        count,
                        stride: variable.kind.size(),
                        sort: sorts.fresh(),
                    });
                }
                let origin = base + variable.offset;
                match &variable.kind {
                    VarKind::Struct(_, fields) => {
                        open.push((fields, origin, dims));
                    }
                    VarKind::Scalar(scalar, display) => self.all.push(Leaf {
                        owner,
                        origin,
                        scalar: *scalar,
                        display: *display,
                        sort: sorts.fresh(),
                        dims,
                    }),
                }
            }
        }
    }

    pub(super) fn get(&self, id: LeafId) -> &Leaf {
        &self.all[id.0]
    }

    /// All of them with their ids.
    pub(super) fn iter(&self) -> impl Iterator<Item = (LeafId, &Leaf)> {
        let all = self.all.iter().enumerate();
        all.map(|(row, leaf)| (LeafId(row), leaf))
    }

    /// The element that a place of a process of this type is; none for `_`.
    pub(super) fn element(&self, place: &Place, proctype: ProctypeId) -> Option<Element> {
        let owner = match place.base {
            Base::Global => Owner::Global,
            Base::Frame => Owner::Frame(proctype),
            Base::Nowhere => return None,
        };
        let own = self.iter().filter(|(_, leaf)| leaf.owner == owner);
        own.filter_map(|(id, leaf)| leaf.subscripts(place).map(|found| (id, found)))
            .map(|(leaf, subscripts)| Element { leaf, subscripts })
            .next()
    }
}

impl Leaf {
    /// The indices of a place, if it is an element of the leaf.
    fn subscripts(&self, place: &Place) -> Option<Vec<Subscript>> {
        let mut rest = place.offset.checked_sub(self.origin)?;
        let mut indices = place.indices.iter().peekable();
        let mut subscripts = Vec::new();
        for dim in &self.dims {
            let number = rest / dim.stride;
            match indices.peek() {
                // A number that is known is part of the offset.
                Some(index)
                    if (index.count, index.stride) == (dim.count, dim.stride) && number == 0 =>
                {
                    subscripts.push(Subscript::Expr(index.expr));
                    indices.next();
                }
                _ if number < dim.count => subscripts.push(Subscript::Number(number)),
                _ => return None,
            }
            rest %= dim.stride;
        }
        (rest == 0 && indices.next().is_none() && place.scalar == self.scalar).then_some(subscripts)
    }
}

impl Leaf {
    /// Where its elements lie, from the base on.
    pub(super) fn offsets(&self) -> impl Iterator<Item = u32> {
        self.elements().map(|(offset, _)| offset)
    }

    /// Where its elements lie, with their indices.
    pub(super) fn elements(&self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        let count: u32 = self.dims.iter().map(|dim| dim.count).product();
        (0..count).map(|number| {
            let mut rest = number;
            let mut indices: Vec<u32> = Vec::new();
            let mut offset = self.origin;
            for dim in self.dims.iter().rev() {
                let index = rest % dim.count;
                rest /= dim.count;
                offset += index * dim.stride;
                indices.push(index);
            }
            indices.reverse();
            (offset, indices)
        })
    }
}
