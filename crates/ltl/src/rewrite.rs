//! The rules that make formulas smaller: `&&`, `X` and `U`; the others are their duals.
//!
//! Follows: [Etessami, Holzmann 2000], [Somenzi, Bloem 2000], and for formulas that hold everywhere
//! or nowhere on a word [Babiak et al. 2012]. Every rule is checked against direct evaluation on
//! random words.

use crate::bdd::Bdd;
use crate::normal::{Normal, Normals, Shape, Style};

impl Normals {
    /// The conjunction.
    pub fn and(&mut self, parts: &[Normal]) -> Normal {
        let mut parts = self.flatten(parts);
        while self.merge(&mut parts) {
            parts = self.flatten(&parts);
        }
        if self.contradict(&parts) {
            return Normal::FALSE;
        }
        if let Some(changed) = self.weigh(&parts) {
            return self.and(&changed);
        }
        self.absorb(&mut parts);
        match parts[..] {
            [] => Normal::TRUE,
            [only] => only,
            _ => self.intern(Shape::And(parts)),
        }
    }

    /// The parts of a conjunction without nesting, all boolean ones as one.
    fn flatten(&mut self, parts: &[Normal]) -> Vec<Normal> {
        let mut function = Bdd::TRUE;
        let mut flat = Vec::new();
        for &part in parts {
            match self.shape(part).clone() {
                Shape::And(inner) => {
                    for part in inner {
                        match self.function(part) {
                            Some(other) => function = self.bdds.and(function, other),
                            None => flat.push(part),
                        }
                    }
                }
                Shape::Boolean(other) => function = self.bdds.and(function, other),
                _ => flat.push(part),
            }
        }
        if function != Bdd::TRUE {
            flat.push(self.boolean(function));
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Replaces two parts by one, if a rule allows it.
    fn merge(&mut self, parts: &mut Vec<Normal>) -> bool {
        for second in 1..parts.len() {
            for first in 0..second {
                if let Some(one) = self.merged(parts[first], parts[second]) {
                    parts.remove(second);
                    parts[first] = one;
                    return true;
                }
            }
        }
        false
    }

    /// One formula for the conjunction of two.
    fn merged(&mut self, left: Normal, right: Normal) -> Option<Normal> {
        match (self.shape(left).clone(), self.shape(right).clone()) {
            // X a && X b
            (Shape::Next(a), Shape::Next(b)) => {
                let both = self.and(&[a, b]);
                Some(self.next(both))
            }
            // (a U c) && (b U c)
            (Shape::Until(a, c), Shape::Until(b, d)) if c == d => {
                let keep = self.and(&[a, b]);
                Some(self.until(keep, c))
            }
            // <> a && <> b, where both hold for ever once they hold
            (Shape::Until(Normal::TRUE, a), Shape::Until(Normal::TRUE, b))
                if self.is_universal(a) && self.is_universal(b) =>
            {
                let both = self.and(&[a, b]);
                Some(self.eventually(both))
            }
            // (c V a) && (c V b)
            (Shape::Release(c, a), Shape::Release(d, b))
                if c == d && !self.stands_apart(left) && !self.stands_apart(right) =>
            {
                let hold = self.and(&[a, b]);
                Some(self.release(c, hold))
            }
            _ => None,
        }
    }

    fn stands_apart(&self, formula: Normal) -> bool {
        self.style == Style::Apart && self.is_eventual(formula)
    }

    /// True if one part excludes another.
    fn contradict(&mut self, parts: &[Normal]) -> bool {
        for (at, &part) in parts.iter().enumerate() {
            if part == Normal::FALSE {
                return true;
            }
            let negation = self.negate(part);
            for &other in &parts[at + 1..] {
                if self.implies(other, negation) {
                    return true;
                }
            }
        }
        false
    }

    /// Uses a universal part to make another one weaker: `[] a && (a U b)` is `[] a && <> b`.
    fn weigh(&mut self, parts: &[Normal]) -> Option<Vec<Normal>> {
        for &judge in parts {
            if !self.is_universal(judge) {
                continue;
            }
            for (at, &part) in parts.iter().enumerate() {
                let changed = match self.shape(part).clone() {
                    Shape::Until(keep, goal)
                        if part != judge && keep != Normal::TRUE && self.implies(judge, keep) =>
                    {
                        self.eventually(goal)
                    }
                    Shape::Release(end, hold) if part != judge && end != Normal::FALSE => {
                        let never = self.negate(end);
                        if !self.implies(judge, never) {
                            continue;
                        }
                        self.always(hold)
                    }
                    _ => continue,
                };
                let mut parts = parts.to_vec();
                parts[at] = changed;
                return Some(parts);
            }
        }
        None
    }

    /// Drops parts that another part implies.
    fn absorb(&mut self, parts: &mut Vec<Normal>) {
        let mut at = 0;
        while at < parts.len() {
            let part = parts[at];
            let implied = (0..parts.len()).any(|by| by != at && self.implies(parts[by], part));
            if implied {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// `X formula`. What holds everywhere or nowhere needs no `X`.
    pub fn next(&mut self, formula: Normal) -> Normal {
        if self.is_suspendable(formula) {
            return formula;
        }
        let (conjunction, parts) = match self.shape(formula) {
            Shape::And(parts) => (true, parts.clone()),
            Shape::Or(parts) => (false, parts.clone()),
            _ => return self.intern(Shape::Next(formula)),
        };
        let (mut same, late): (Vec<Normal>, Vec<Normal>) =
            parts.iter().partition(|&&part| self.is_suspendable(part));
        if same.is_empty() {
            return self.intern(Shape::Next(formula));
        }
        let late = self.junction(conjunction, &late);
        same.push(self.next(late));
        self.junction(conjunction, &same)
    }

    fn junction(&mut self, conjunction: bool, parts: &[Normal]) -> Normal {
        if conjunction {
            self.and(parts)
        } else {
            self.or(parts)
        }
    }

    /// `keep U goal`.
    pub fn until(&mut self, keep: Normal, goal: Normal) -> Normal {
        if keep == Normal::FALSE || self.is_eventual(goal) || self.implies(keep, goal) {
            return goal;
        }
        let rewritten = self
            .until_by_next(keep, goal)
            .or_else(|| self.until_by_keep(keep, goal))
            .or_else(|| self.until_by_goal(keep, goal))
            .or_else(|| self.eventually_by_goal(keep, goal));
        rewritten.unwrap_or_else(|| self.intern(Shape::Until(keep, goal)))
    }

    /// `X a U X b` is `X (a U b)`.
    fn until_by_next(&mut self, keep: Normal, goal: Normal) -> Option<Normal> {
        let Shape::Next(goal) = *self.shape(goal) else {
            return None;
        };
        let keep = match *self.shape(keep) {
            Shape::Next(keep) => keep,
            _ if keep == Normal::TRUE => keep,
            _ => return None,
        };
        let until = self.until(keep, goal);
        Some(self.next(until))
    }

    /// The left side matters only where the right side does not hold yet.
    fn until_by_keep(&mut self, keep: Normal, goal: Normal) -> Option<Normal> {
        if keep == Normal::TRUE {
            return None;
        }
        let not_yet = self.negate(goal);
        if self.implies(not_yet, keep) {
            return Some(self.eventually(goal));
        }
        match self.shape(keep).clone() {
            // (a || b) U b is a U b
            Shape::Boolean(function) => {
                let met = self.boolean_part(goal)?;
                let care = self.bdds.not(met);
                let simpler = self.bdds.restrict(function, care);
                (simpler != function).then(|| {
                    let keep = self.boolean(simpler);
                    self.until(keep, goal)
                })
            }
            // (a && b) U c, where !c implies b
            Shape::And(parts) => {
                let needed: Vec<Normal> = (parts.iter().copied())
                    .filter(|&part| !self.implies(not_yet, part))
                    .collect();
                (needed.len() < parts.len()).then(|| {
                    let keep = self.and(&needed);
                    self.until(keep, goal)
                })
            }
            // (a || b) U c, where b implies c
            Shape::Or(parts) => {
                let useful: Vec<Normal> = (parts.iter().copied())
                    .filter(|&part| !self.implies(part, goal))
                    .collect();
                (useful.len() < parts.len()).then(|| {
                    let keep = self.or(&useful);
                    self.until(keep, goal)
                })
            }
            // (a U b) U c, where a implies c
            Shape::Until(a, b) if self.implies(a, goal) => Some(self.until(b, goal)),
            _ => None,
        }
    }

    /// A boolean function that implies the formula.
    fn boolean_part(&self, formula: Normal) -> Option<Bdd> {
        match self.shape(formula) {
            Shape::Boolean(function) => Some(*function),
            Shape::Or(parts) => parts.iter().find_map(|&part| self.function(part)),
            _ => None,
        }
    }

    fn until_by_goal(&mut self, keep: Normal, goal: Normal) -> Option<Normal> {
        match self.shape(goal).clone() {
            // a U (b U c)
            Shape::Until(b, c) => {
                if self.implies(keep, b) {
                    Some(goal)
                } else if self.implies(b, keep) {
                    Some(self.until(keep, c))
                } else {
                    None
                }
            }
            Shape::Or(parts) => self.until_disjunction(keep, &parts),
            // a U (b && c), where c holds everywhere or nowhere
            Shape::And(parts) => {
                let (mut apart, rest): (Vec<Normal>, Vec<Normal>) =
                    parts.iter().partition(|&&part| self.is_suspendable(part));
                (!apart.is_empty()).then(|| {
                    let rest = self.and(&rest);
                    apart.push(self.until(keep, rest));
                    self.and(&apart)
                })
            }
            _ => None,
        }
    }

    fn until_disjunction(&mut self, keep: Normal, parts: &[Normal]) -> Option<Normal> {
        // a U (b || c), where c holds now if it holds later; <> (b || c), where c holds for ever
        let apart = |normals: &Normals, part: Normal| match normals.style {
            Style::Apart if keep == Normal::TRUE => {
                normals.is_eventual(part) || normals.is_universal(part)
            }
            Style::Apart | Style::Together => normals.is_eventual(part),
            Style::Whole => false,
        };
        let (outside, inside): (Vec<Normal>, Vec<Normal>) =
            parts.iter().partition(|&&part| apart(self, part));
        if !outside.is_empty() {
            let inside = self.or(&inside);
            let mut whole = vec![self.until(keep, inside)];
            for part in outside {
                whole.push(self.until(keep, part));
            }
            return Some(self.or(&whole));
        }
        // a U (b || (c U d)), where c implies a
        let mut changed = false;
        let mut goals = Vec::new();
        for &part in parts {
            match self.shape(part).clone() {
                Shape::Until(c, d) if self.implies(c, keep) => {
                    goals.push(d);
                    changed = true;
                }
                _ => goals.push(part),
            }
        }
        changed.then(|| {
            let goal = self.or(&goals);
            self.until(keep, goal)
        })
    }

    /// Rules of `<> [] a`: only what happens at the end of time counts.
    fn eventually_by_goal(&mut self, keep: Normal, goal: Normal) -> Option<Normal> {
        let Shape::Release(Normal::FALSE, hold) = *self.shape(goal) else {
            return None;
        };
        if keep != Normal::TRUE {
            return None;
        }
        let settled = self.settle(hold);
        if settled != hold {
            let always = self.always(settled);
            return Some(self.eventually(always));
        }
        // <> [] (a || b), where b holds for ever once it holds
        let Shape::Or(parts) = self.shape(hold).clone() else {
            return None;
        };
        let (forever, rest): (Vec<Normal>, Vec<Normal>) =
            parts.iter().partition(|&&part| self.is_universal(part));
        if forever.is_empty() {
            return None;
        }
        let rest = self.or(&rest);
        let mut whole = Vec::new();
        for part in [&[rest][..], &forever].concat() {
            let always = self.always(part);
            whole.push(self.eventually(always));
        }
        Some(self.or(&whole))
    }

    /// A formula that may stand for `formula` under `<> []`: `a` for `X a`, `b` for `a V b`.
    fn settle(&mut self, formula: Normal) -> Normal {
        match self.shape(formula).clone() {
            Shape::Next(inner) | Shape::Release(_, inner) => self.settle(inner),
            Shape::And(parts) => {
                let parts: Vec<Normal> = parts.iter().map(|&part| self.settle(part)).collect();
                self.and(&parts)
            }
            _ => formula,
        }
    }
}
