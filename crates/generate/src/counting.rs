//! Random loops that count.

use crate::feature::Feature;
use crate::generator::{Context, Generator, Region};
use crate::scope::{Base, Path, Place};
use crate::statement::{Body, Kind, Statement};

impl Generator {
    /// A loop over a counter of its own that nothing else assigns to.
    pub fn counting_loop(&mut self, context: Context) -> Body {
        let depth = self.process.counting.len();
        let counter = format!("i{depth}");
        self.process.counters = self.process.counters.max(depth + 1);
        let inner = Context {
            in_loop: context.region != Region::DStep,
            in_count: true,
            no_else: false,
            ..context.inner()
        };
        let array = self.whole_array();
        let (head, most) = match array {
            Some((name, size)) if self.rng.percent(70) => (format!("in {name}"), size - 1),
            _ => {
                let low = self.rng.below(2);
                let high = low + self.rng.range(0, 2);
                (format!(": {low} .. {high}"), high)
            }
        };
        let most_text = most.to_string();
        self.process.counting.push((counter.clone(), most));
        self.scope.places.push(Place {
            path: Path::name(counter.clone()),
            base: Base::Byte,
            readable: true,
            writable: false,
            global: false,
        });
        let length = self.rng.range(1, 2);
        let spelled = !self.has(Feature::For) || self.rng.percent(20);
        let mut body = self.sequence(inner.after(), length);
        self.scope.places.pop();
        self.process.counting.pop();
        if spelled {
            let mut option = vec![Statement::plain(format!("{counter} < {most_text}"))];
            option.push(Statement::plain(format!("{counter}++")));
            option.append(&mut body);
            let leave = vec![Statement::plain("else"), Statement::plain("break")];
            return vec![
                Statement::plain(format!("{counter} = 0")),
                Statement::Choice(Kind::Do, vec![option, leave]),
            ];
        }
        vec![Statement::block(&format!("for ({counter} {head})"), body)]
    }

    /// The name and size of an array of numbers.
    fn whole_array(&mut self) -> Option<(String, usize)> {
        let whole = |place: &Place| {
            place.path.holes.len() == 1 && !place.path.pieces.concat().contains('.')
        };
        let place = self.place(whole)?;
        Some((place.path.pieces[0].clone(), place.path.holes[0]))
    }
}
