//! Variables cut into cells, the units in which a reduction reasons about memory.

use super::Footprint;
use crate::expr::Expr;
use crate::ids::{ExprId, PlaceId, ProctypeId};
use crate::layout::{Base, VarKind, Variable};
use crate::model::{FrameRange, Model};

/// The smallest part of the variables that is told apart: a scalar, also one inside a
/// structure, or an array as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Offset from the base of the variables.
    pub offset: u32,
    /// Its length in bytes.
    pub length: u32,
    /// An array: a write to it replaces only a part.
    pub array: bool,
}

/// The cells of the globals or of a frame, in the order of their offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    cells: Vec<Cell>,
}

/// The places in the frames of each proctype that remote references read, anywhere in the model.
#[derive(Clone, Debug)]
pub struct RemoteReads {
    places: Vec<Vec<PlaceId>>,
}

impl RemoteReads {
    /// Those of a model.
    pub fn new(model: &Model) -> RemoteReads {
        let mut places = vec![Vec::new(); model.proctypes.len()];
        for (row, expr) in model.exprs.iter().enumerate() {
            space::cancel::poll();
            if matches!(expr, Expr::RemoteVar { .. }) {
                let footprint = Footprint::of_expr(model, ExprId(row as u32));
                for (proctype, place) in footprint.remote_reads {
                    places[proctype.index()].push(place);
                }
            }
        }
        RemoteReads { places }
    }
}

/// A set of cells, by their rows.
pub type CellSet = Vec<bool>;

impl Cells {
    /// The cells of some variables.
    pub fn new(variables: &[Variable]) -> Cells {
        let mut cells = Vec::new();
        let mut open: Vec<(u32, &Variable)> = variables.iter().map(|v| (0, v)).collect();
        while let Some((base, variable)) = open.pop() {
            match &variable.kind {
                VarKind::Struct(_, fields) if variable.count.is_none() => {
                    open.extend(fields.iter().map(|f| (base + variable.offset, f)));
                }
                _ => cells.push(Cell {
                    offset: base + variable.offset,
                    length: variable.size(),
                    array: variable.count.is_some(),
                }),
            }
        }
        cells.sort_by_key(|cell| cell.offset);
        Cells { cells }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell of a row.
    pub fn get(&self, row: usize) -> Cell {
        self.cells[row]
    }

    /// The row of the cell that an offset lies in.
    pub fn at(&self, offset: u32) -> Option<usize> {
        let behind = self.cells.partition_point(|cell| cell.offset <= offset);
        let row = behind.checked_sub(1)?;
        let cell = self.cells[row];
        (offset < cell.offset + cell.length).then_some(row)
    }

    /// The row of the cell that a place lies in, if it has this base. Whatever its indices
    /// are, a place stays inside its array.
    pub fn of(&self, model: &Model, base: Base, place: PlaceId) -> Option<usize> {
        let place = model.place(place);
        if place.base == base {
            self.at(place.offset)
        } else {
            None
        }
    }

    /// Add the cells of a frame that these places lie in to a set.
    pub fn insert(&self, model: &Model, places: &[PlaceId], set: &mut CellSet) {
        for &place in places {
            if let Some(row) = self.of(model, Base::Frame, place) {
                set[row] = true;
            }
        }
    }

    /// The cells of a proctype's frame that are read otherwise than by its own statements:
    /// by remote references anywhere in the model, by `provided` and by channel claims.
    pub fn observed(&self, model: &Model, remote: &RemoteReads, id: ProctypeId) -> CellSet {
        let mut observed = vec![false; self.len()];
        self.insert(model, &remote.places[id.index()], &mut observed);
        let proctype = model.proctype(id);
        if let Some(provided) = proctype.provided {
            let footprint = Footprint::of_expr(model, provided);
            self.insert(model, &footprint.reads, &mut observed);
        }
        for claim in &proctype.claims {
            let footprint = Footprint::of_load(model, claim.channel);
            self.insert(model, &footprint.reads, &mut observed);
        }
        observed
    }

    /// The rows of the cells of a frame that these places lie in, each once.
    pub fn rows(&self, model: &Model, places: &[PlaceId]) -> Vec<u32> {
        let rows = places.iter();
        let mut rows: Vec<u32> = rows
            .filter_map(|&place| self.of(model, Base::Frame, place))
            .map(|row| row as u32)
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The bytes of cells, by their rows in order, neighbours joined.
    pub fn ranges(&self, rows: impl Iterator<Item = usize>) -> Vec<FrameRange> {
        let mut ranges: Vec<FrameRange> = Vec::new();
        for cell in rows.map(|row| self.get(row)) {
            match ranges.last_mut() {
                Some(last) if last.offset + last.length == cell.offset => {
                    last.length += cell.length;
                }
                _ => ranges.push(FrameRange {
                    offset: cell.offset,
                    length: cell.length,
                }),
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Display, Scalar};

    fn variable(offset: u32, count: Option<u32>, kind: VarKind) -> Variable {
        Variable {
            name: String::new(),
            offset,
            count,
            kind,
            synthetic: false,
        }
    }

    #[test]
    fn structures_fall_apart_and_arrays_do_not() {
        let byte = || VarKind::Scalar(Scalar::U8, Display::Number);
        let int = || VarKind::Scalar(Scalar::I32, Display::Number);
        let fields = vec![variable(0, None, byte()), variable(1, Some(3), byte())];
        let cells = Cells::new(&[
            variable(3, None, VarKind::Struct(4, fields.clone())),
            variable(7, Some(2), VarKind::Struct(4, fields)),
            variable(15, None, int()),
        ]);
        let shapes: Vec<_> = (0..cells.len()).map(|row| cells.get(row)).collect();
        let shapes: Vec<_> = shapes
            .iter()
            .map(|c| (c.offset, c.length, c.array))
            .collect();
        let expected = [(3, 1, false), (4, 3, true), (7, 8, true), (15, 4, false)];
        assert_eq!(shapes, expected);
        assert_eq!(
            [2, 3, 6, 14, 18, 19].map(|offset| cells.at(offset)),
            [None, Some(0), Some(1), Some(2), Some(3), None]
        );
        let ranges = cells.ranges([0, 1, 3].into_iter());
        let ranges: Vec<_> = ranges.iter().map(|r| (r.offset, r.length)).collect();
        assert_eq!(ranges, [(3, 4), (15, 4)]);
    }
}
