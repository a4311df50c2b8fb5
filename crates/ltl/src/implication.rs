//! Implications that can be read off the shapes of two formulas.
//!
//! Follows: [Somenzi, Bloem 2000], with the rules that pure eventualities and purely universal
//! formulas add.

use crate::normal::{Normal, Normals, Shape};

impl Normals {
    /// True only if `right` holds on every word on which `left` does.
    pub fn implies(&mut self, left: Normal, right: Normal) -> bool {
        if left == right || left == Normal::FALSE || right == Normal::TRUE {
            return true;
        }
        if let Some(&known) = self.implications.get(&(left, right)) {
            return known;
        }
        let found = self.by_left(left, right) || self.by_right(left, right);
        self.implications.insert((left, right), found);
        found
    }

    /// What the shape of the left side allows.
    fn by_left(&mut self, left: Normal, right: Normal) -> bool {
        match (self.shape(left).clone(), self.shape(right).clone()) {
            (Shape::Boolean(left), Shape::Boolean(right)) => self.bdds.implies(left, right),
            (Shape::Or(parts), _) => parts.iter().all(|&part| self.implies(part, right)),
            (_, Shape::And(parts)) => parts.iter().all(|&part| self.implies(left, part)),
            (Shape::And(parts), _) if parts.iter().any(|&part| self.implies(part, right)) => true,
            (Shape::Next(inner), Shape::Next(other)) if self.implies(inner, other) => true,
            (Shape::Next(inner), _) => self.is_eventual(right) && self.implies(inner, right),
            (Shape::Until(keep, goal), other) => {
                if let Shape::Until(other_keep, other_goal) = other
                    && self.implies(keep, other_keep)
                    && self.implies(goal, other_goal)
                {
                    return true;
                }
                self.implies(goal, right) && (self.is_eventual(right) || self.implies(keep, right))
            }
            (Shape::Release(end, hold), other) => {
                if let Shape::Release(other_end, other_hold) = other
                    && self.implies(end, other_end)
                    && self.implies(hold, other_hold)
                {
                    return true;
                }
                self.implies(hold, right)
            }
            _ => false,
        }
    }

    /// What the shape of the right side allows.
    fn by_right(&mut self, left: Normal, right: Normal) -> bool {
        match self.shape(right).clone() {
            Shape::Or(parts) => parts.iter().any(|&part| self.implies(left, part)),
            Shape::Next(inner) => self.is_universal(left) && self.implies(left, inner),
            Shape::Until(_, goal) => self.implies(left, goal),
            Shape::Release(end, hold) => {
                self.implies(left, hold) && (self.is_universal(left) || self.implies(left, end))
            }
            _ => false,
        }
    }
}
