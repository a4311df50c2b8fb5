//! Random claims. A check for safety does not use them, but they must be accepted.

use crate::expression::{Binary, Expression};
use crate::feature::Feature;
use crate::formula;
use crate::generator::Generator;
use crate::process::Seen;
use crate::scope::Field;

impl Generator {
    /// The claims of the model, given the active processes by pid.
    pub fn claims(&mut self, seen: &[Seen]) -> Vec<String> {
        let mut claims = Vec::new();
        if self.has(Feature::Ltl) {
            let name = if self.rng.percent(70) { "prop " } else { "" };
            claims.push(format!("ltl {name}{{ {} }}\n", self.formula(seen)));
        }
        if self.asks {
            let propositions = [(); 3].map(|()| self.atomic_proposition(seen));
            let operators = self.rng.range(1, 4);
            let formula = formula::about(&mut self.rng, operators, &propositions);
            claims.push(format!("ltl asked {{ {formula} }}\n"));
        }
        if self.has(Feature::Never) {
            claims.push(self.never(seen));
        }
        if self.has(Feature::Trace) {
            claims.extend(self.trace());
        }
        claims
    }

    fn formula(&mut self, seen: &[Seen]) -> String {
        let (p, q) = (self.atomic_proposition(seen), self.atomic_proposition(seen));
        match self.rng.below(8) {
            0 => format!("[] ({p})"),
            1 => format!("<> ({p})"),
            2 => format!("[] ({p} -> <> {q})"),
            3 => format!("({p}) U ({q})"),
            4 => format!("always eventually ({p})"),
            5 => format!("[] <> ({p}) && !<> ({q})"),
            6 => format!("({p}) V ({q})"),
            _ => format!("({p}) W ({q})"),
        }
    }

    /// Something about the globals or a process, in parentheses.
    fn atomic_proposition(&mut self, seen: &[Seen]) -> String {
        if !seen.is_empty() && self.rng.percent(50) {
            let pid = self.rng.below(seen.len());
            let process = &seen[pid];
            if !process.labels.is_empty() && self.rng.percent(60) {
                let label = self.rng.pick(&process.labels).clone();
                return format!("({}[{pid}]@{label})", process.name);
            }
            if !process.locals.is_empty() {
                let local = self.rng.pick(&process.locals).clone();
                return format!("({}[{pid}]:{local} == {})", process.name, self.rng.below(3));
            }
        }
        let place = self.place(|place| place.global && place.readable && place.base.is_number());
        let place = place.expect("a global is declared first");
        let place = Expression::Atom(self.reach_constant(&place.path));
        let limit = Expression::Number(self.rng.below(3) as i64);
        let operator = *self
            .rng
            .pick(&[Binary::Equal, Binary::Less, Binary::Unequal]);
        format!("({})", Expression::binary(operator, place, limit).text())
    }

    fn never(&mut self, seen: &[Seen]) -> String {
        let p = self.atomic_proposition(seen);
        let q = match self.rng.below(5) {
            0 => "np_".to_owned(),
            1 if self.has(Feature::Enabled) => "enabled(0)".to_owned(),
            2 => "pc_value(0) > 1".to_owned(),
            _ => self.atomic_proposition(seen),
        };
        let name = if self.rng.percent(40) { "claim " } else { "" };
        format!(
            "never {name}{{\n    do\n    :: {p} ->\n        break;\n    :: {q} ->\n        skip;\n    \
             :: else\n    od;\naccept_all:\n    do\n    :: {q}\n    od;\n}}\n"
        )
    }

    /// A trace: most allow everything, so that their automaton has one state and does not change
    /// the counts, others ask for an order. Spin obeys traces even when it is told to ignore claims.
    fn trace(&mut self) -> Option<String> {
        let channel = self.channel(|channel| {
            let numbers = channel.fields.iter();
            channel.global
                && channel.path.holes.is_empty()
                && numbers
                    .clone()
                    .all(|field| matches!(field, Field::Number(_)))
        })?;
        let name = &channel.path.pieces[0];
        let fields = vec!["_"; channel.fields.len()].join(",");
        let receives = if self.rng.percent(50) {
            format!("    :: {name}?{fields}\n")
        } else {
            String::new()
        };
        let keyword = *self.rng.pick(&["trace", "notrace"]);
        if self.rng.percent(40) {
            let first = vec![self.rng.below(2).to_string(); channel.fields.len()].join(",");
            return Some(format!(
                "{keyword} {{\n    end: do\n    :: {name}!{fields};\n    end1: if\n        \
                 :: {name}?{first}\n        :: {name}!{fields}\n        fi;\n    od;\n}}\n"
            ));
        }
        Some(format!(
            "{keyword} {{\n    end: do\n    :: {name}!{fields}\n{receives}    od;\n}}\n"
        ))
    }
}
