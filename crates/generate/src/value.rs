//! Random expressions.

use crate::expression::{Binary, Expression};
use crate::feature::Feature;
use crate::generator::{Generator, Macro};
use crate::scope::{Base, Capacity, Channel, Path, Place};

/// Comparisons of a small variable with a constant, most of them now true and now false.
const LIMITS: &[(usize, (Binary, i64))] = &[
    (4, (Binary::Equal, 0)),
    (4, (Binary::Equal, 1)),
    (1, (Binary::Equal, 2)),
    (3, (Binary::Unequal, 0)),
    (3, (Binary::Unequal, 1)),
    (2, (Binary::Unequal, 2)),
    (2, (Binary::Less, 1)),
    (2, (Binary::Less, 2)),
    (2, (Binary::LessEqual, 0)),
    (1, (Binary::LessEqual, 1)),
    (2, (Binary::Greater, 0)),
    (1, (Binary::Greater, 1)),
    (2, (Binary::GreaterEqual, 1)),
    (1, (Binary::GreaterEqual, 2)),
];

impl Generator {
    /// The text of a path with indices that are inside the arrays.
    pub fn reach(&mut self, path: &Path) -> String {
        let mut indices = Vec::new();
        for &size in &path.holes {
            indices.push(self.index(size, path.root()));
        }
        path.fill(&indices)
    }

    /// The text of a path with constants as indices.
    pub fn reach_constant(&mut self, path: &Path) -> String {
        let indices = path.holes.iter().map(|&size| self.rng.below(size));
        let indices: Vec<String> = indices.map(|index| index.to_string()).collect();
        path.fill(&indices)
    }

    /// The text of a path with indices that no receive can change. Spin evaluates the indices of
    /// the channel again when it undoes a receive.
    pub fn reach_stable(&mut self, path: &Path) -> String {
        let indices = path.holes.iter().map(|&size| match self.rng.below(3) {
            0 => format!("_pid % {size}"),
            _ => self.rng.below(size).to_string(),
        });
        let indices: Vec<String> = indices.collect();
        path.fill(&indices)
    }

    /// An index below `size` that does not look at the array itself: Spin forbids `a[a[0]]`.
    fn index(&mut self, size: usize, root: &str) -> String {
        let counting = self.process.counting.iter();
        let mut counting = counting.filter(|(_, most)| *most < size);
        if let Some((counter, _)) = counting.next_back()
            && self.rng.percent(70)
        {
            return counter.clone();
        }
        match self.rng.below(10) {
            0..6 => self.rng.below(size).to_string(),
            6..8 => format!("_pid % {size}"),
            _ => match self.place(|place| {
                place.readable
                    && place.base.is_natural()
                    && place.base.is_number()
                    && place.path.holes.is_empty()
                    && place.path.root() != root
            }) {
                Some(place) => format!("{} % {size}", place.path.pieces[0]),
                None => self.rng.below(size).to_string(),
            },
        }
    }

    /// The value of a number somewhere.
    pub fn read(&mut self, place: &Place) -> Expression {
        Expression::Atom(self.reach(&place.path))
    }

    /// A readable number to calculate with, or a constant when there is none.
    fn variable(&mut self) -> Expression {
        match self.place(|place| place.readable && place.base.is_number()) {
            Some(place) => self.read(&place),
            None => Expression::Number(1),
        }
    }

    /// A literal; mostly a small one.
    fn literal(&mut self) -> Expression {
        let wide = self.has(Feature::Wide);
        Expression::Number(match self.rng.below(20) {
            0 | 1 if wide => *self.rng.pick(&[255, 256, 300, 1000, 32768, 65535]),
            2 if wide => *self.rng.pick(&[-1, -2, -128, 2147483647]),
            3 => 3,
            4..8 => 2,
            8..14 => 1,
            _ => 0,
        })
    }

    /// An expression without operators.
    fn leaf(&mut self) -> Expression {
        match self.rng.below(16) {
            0..4 => self.literal(),
            4 => Expression::atom("_pid"),
            5 if self.has(Feature::ProcessCount) => Expression::atom("_nr_pr"),
            6 if self.has(Feature::Last) => Expression::atom("_last"),
            7 if self.has(Feature::Priority) => {
                Expression::atom(*self.rng.pick(&["_priority", "get_priority(_pid)"]))
            }
            8 | 9 => match self.channel(|_| true) {
                Some(channel) => Expression::Atom(format!("len({})", self.reach(&channel.path))),
                None => self.variable(),
            },
            10 if self.macros.contains(&Macro::Limit) => Expression::atom("LIMIT"),
            11 if self.macros.contains(&Macro::Next) => {
                let argument = self.leaf().operand_text();
                Expression::Atom(format!("NEXT({argument})"))
            }
            _ => self.variable(),
        }
    }

    /// A number of any size. Divisors are never zero and shifts are short.
    pub fn number(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.rng.percent(30) {
            return self.leaf();
        }
        let wide = self.has(Feature::Wide);
        let expression = match self.rng.below(20) {
            0..5 => self.operation(&[Binary::Plus, Binary::Minus], depth),
            5 | 6 => self.operation(&[Binary::BitAnd, Binary::BitOr, Binary::BitXor], depth),
            7 => self.operation(&[Binary::Times], depth),
            8 => Expression::unary(*self.rng.pick(&['-', '~', '!']), self.number(depth - 1)),
            9 | 10 if wide => self.shift(depth),
            11 | 12 if wide => self.division(depth),
            13..16 if self.has(Feature::ConditionalExpression) => {
                let condition = self.condition(depth - 1);
                let parts = [condition, self.number(depth - 1), self.number(depth - 1)];
                Expression::Conditional(Box::new(parts))
            }
            16 => self.truth(depth - 1),
            _ => self.leaf(),
        };
        if self.rng.percent(8) {
            return Expression::Parentheses(Box::new(expression));
        }
        expression
    }

    fn operation(&mut self, operators: &[Binary], depth: usize) -> Expression {
        let operator = *self.rng.pick(operators);
        Expression::binary(operator, self.number(depth - 1), self.number(depth - 1))
    }

    fn shift(&mut self, depth: usize) -> Expression {
        let operator = *self.rng.pick(&[Binary::ShiftLeft, Binary::ShiftRight]);
        let distance = if self.rng.percent(50) {
            Expression::Number(self.rng.range(0, 9) as i64)
        } else {
            let any = self.number(depth - 1);
            Expression::binary(Binary::BitAnd, any, Expression::Number(3))
        };
        Expression::binary(operator, self.number(depth - 1), distance)
    }

    fn division(&mut self, depth: usize) -> Expression {
        let operator = *self.rng.pick(&[Binary::Divide, Binary::Remainder]);
        let divisor = if self.rng.percent(60) {
            Expression::Number(*self.rng.pick(&[-2, 1, 2, 3, 7]))
        } else {
            let any = self.number(depth - 1);
            let bit = Expression::binary(Binary::BitAnd, any, Expression::Number(1));
            Expression::binary(Binary::Plus, bit, Expression::Number(1))
        };
        Expression::binary(operator, self.number(depth - 1), divisor)
    }

    /// A number of few values, fit for a variable of any type.
    pub fn small(&mut self) -> Expression {
        let depth = if self.has(Feature::Wide) { 3 } else { 1 };
        match self.rng.below(10) {
            0..4 => Expression::Number(self.rng.below(3) as i64),
            4 | 5 => self.truth(1),
            6 => Expression::binary(
                Binary::BitAnd,
                self.number(depth),
                Expression::Number(*self.rng.pick(&[1, 3])),
            ),
            7 if self.macros.contains(&Macro::Next) => {
                let argument = self.number(1).text();
                Expression::Atom(format!("NEXT({argument})"))
            }
            _ => {
                let any = self.number(depth);
                let modulus = Expression::Number(self.rng.range(2, 3) as i64);
                Expression::binary(Binary::Remainder, any, modulus)
            }
        }
    }

    /// A condition whose value is 0 or 1.
    pub fn truth(&mut self, depth: usize) -> Expression {
        match self.rng.below(12) {
            0 if depth > 0 => {
                let operator = *self.rng.pick(&[Binary::And, Binary::Or]);
                Expression::binary(
                    operator,
                    self.condition(depth - 1),
                    self.condition(depth - 1),
                )
            }
            1 => Expression::unary('!', self.variable()),
            2..5 => match self.place(|place| place.readable && !place.base.is_number()) {
                Some(place) => self.name_test(&place),
                None => self.truth(depth),
            },
            5..8 if self.process.asks_enabled => Expression::atom("enabled(0)"),
            _ if depth == 0 || self.rng.percent(60) => {
                let (operator, limit) = self.rng.weighted(LIMITS);
                Expression::binary(operator, self.variable(), Expression::Number(limit))
            }
            _ => {
                let operator = self.rng.weighted(LIMITS).0;
                Expression::binary(operator, self.number(depth), self.number(depth))
            }
        }
    }

    fn name_test(&mut self, place: &Place) -> Expression {
        let operator = *self.rng.pick(&[Binary::Equal, Binary::Unequal]);
        let name = *self.rng.pick(place.base.names());
        let place = self.read(place);
        Expression::binary(operator, place, Expression::atom(name))
    }

    /// A condition.
    pub fn condition(&mut self, depth: usize) -> Expression {
        match self.rng.below(12) {
            0 => self.variable(),
            1 if self.macros.contains(&Macro::Ready) => Expression::atom("READY"),
            2..5 if self.has(Feature::Poll) => match self.buffer() {
                Some(channel) => self.poll(&channel),
                None => self.truth(depth),
            },
            _ => self.truth(depth),
        }
    }

    /// The text of a guard: a condition, perhaps with probes, which Spin allows nowhere deeper.
    pub fn guard(&mut self) -> String {
        let depth = self.rng.below(2);
        if self.chance(Feature::Probe, 35)
            && let Some(channel) = self.channel(|_| true)
        {
            let probe = self.probe(&channel);
            return match self.rng.below(4) {
                0 => format!("{probe} && {}", self.condition(depth).operand_text()),
                1 => format!("{} || {probe}", self.condition(depth).operand_text()),
                _ => probe,
            };
        }
        self.condition(depth).text()
    }

    /// A channel that can be polled: one that is known to have slots.
    pub fn buffer(&mut self) -> Option<Channel> {
        self.channel(|channel| channel.capacity == Capacity::Buffer)
    }

    fn probe(&mut self, channel: &Channel) -> String {
        let question = *self.rng.pick(&["full", "nfull", "empty", "nempty"]);
        format!("{question}({})", self.reach(&channel.path))
    }

    /// A value to put into a number of type `base`, given as its text. `wraps` tells whether the
    /// place cuts values to its width, which elements of type `bit` do not in Spin.
    pub fn value_for(&mut self, base: Base, wraps: bool) -> String {
        if !base.is_number() {
            let same = |place: &Place| place.readable && place.base == base;
            return match self.place(same) {
                Some(place) if self.rng.percent(25) => self.reach(&place.path),
                _ => self.rng.pick(base.names()).to_string(),
            };
        }
        if base.is_tiny() {
            return if wraps && self.rng.percent(40) {
                self.number(2).text()
            } else {
                self.truth(1).text()
            };
        }
        if base == Base::Pid && self.rng.percent(50) {
            return "_pid".to_owned();
        }
        if self.chance(Feature::Wide, 25) {
            let odd = [
                "300",
                "-1",
                "70000",
                "256",
                "32768",
                "-32769",
                "2147483647",
                "1 << 9",
            ];
            return self.rng.pick(&odd).to_string();
        }
        self.small().text()
    }
}
