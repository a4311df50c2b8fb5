//! Random sends, receives and polls.

use crate::expression::Expression;
use crate::feature::Feature;
use crate::generator::{Context, Generator, Region};
use crate::scope::{Base, Capacity, Channel, Field, Place};

impl Generator {
    /// A send or receive of the process in the making, if it has a channel for it.
    pub fn communication(&mut self, context: Context) -> Option<String> {
        let sends = self.process.sends.clone();
        let receives = self.process.receives.clone();
        let first = self.rng.below(sends.len() + receives.len() + 1);
        if first < sends.len() {
            let channel = self.scope.channels[sends[first]].clone();
            if context.region == Region::DStep && channel.capacity != Capacity::Buffer {
                return None;
            }
            return Some(self.send(&channel));
        }
        if receives.is_empty() {
            return None;
        }
        let channel = self.scope.channels[*self.rng.pick(&receives)].clone();
        if context.region == Region::DStep {
            // Spin writes C that does not compile for some peeks here.
            return Some(self.receive_any(&channel));
        }
        Some(self.receive(&channel))
    }

    /// A send.
    pub fn send(&mut self, channel: &Channel) -> String {
        let mut arguments = Vec::new();
        for &field in &channel.fields {
            arguments.push(match field {
                Field::Number(base) if base.is_number() && !base.is_tiny() => self.sent_number(),
                Field::Number(base) => self.value_for(base, true),
                Field::Channel => self.sent_channel(),
                Field::Struct => "s_m".to_owned(),
            });
        }
        let sorted = channel.capacity == Capacity::Buffer && self.chance(Feature::SortedSend, 60);
        let operator = if sorted { "!!" } else { "!" };
        let name = self.reach(&channel.path);
        let message = self.message(&arguments);
        // `c!!x` is another operator than `c! !x`.
        let space = if message.starts_with('!') { " " } else { "" };
        format!("{name}{operator}{space}{message}")
    }

    /// Few different values, so that the channel has few contents.
    fn sent_number(&mut self) -> String {
        match self.rng.below(10) {
            0..6 => self.rng.below(3).to_string(),
            6 | 7 => self.truth(0).text(),
            8 => match self.place(|place| place.readable && place.base.is_tiny()) {
                Some(place) => self.reach(&place.path),
                None => "1".to_owned(),
            },
            _ => self.small().text(),
        }
    }

    fn sent_channel(&mut self) -> String {
        let channel = self.channel(|channel| channel.is_plain() && channel.path.holes.is_empty());
        channel.expect("there is one to send").path.pieces[0].clone()
    }

    /// `a,b` or, sometimes, `a(b)`.
    fn message(&mut self, arguments: &[String]) -> String {
        match arguments {
            [first, rest @ ..] if !rest.is_empty() && self.rng.percent(35) => {
                format!("{first}({})", rest.join(","))
            }
            _ => arguments.join(","),
        }
    }

    /// A receive.
    pub fn receive(&mut self, channel: &Channel) -> String {
        let name = self.reach_stable(&channel.path);
        let buffered = channel.capacity == Capacity::Buffer;
        let random = buffered && self.chance(Feature::RandomReceive, 60);
        let peek = buffered && self.chance(Feature::Peek, 50);
        let arguments = self.patterns(channel, true, if random { 60 } else { 20 });
        let operator = if random { "??" } else { "?" };
        if peek {
            return format!("{name}{operator}<{}>", arguments.join(","));
        }
        format!("{name}{operator}{}", self.message(&arguments))
    }

    /// A receive of everything, into variables where possible.
    pub fn receive_any(&mut self, channel: &Channel) -> String {
        let name = self.reach_stable(&channel.path);
        let arguments = self.patterns(channel, true, 0);
        format!("{name}?{}", self.message(&arguments))
    }

    /// A poll, free of side effects.
    pub fn poll(&mut self, channel: &Channel) -> Expression {
        let name = self.reach(&channel.path);
        let random = self.chance(Feature::RandomReceive, 50);
        let arguments = self.patterns(channel, false, 60);
        let operator = if random { "??" } else { "?" };
        Expression::Atom(format!("{name}{operator}[{}]", arguments.join(",")))
    }

    /// What the fields of a received message are stored in or compared with. No variable occurs
    /// twice, and no index depends on a variable that the same receive changes.
    fn patterns(&mut self, channel: &Channel, stores: bool, matches: usize) -> Vec<String> {
        let mut used: Vec<String> = Vec::new();
        let mut patterns = Vec::new();
        for &field in &channel.fields {
            let pattern = match field {
                Field::Number(base) if self.rng.percent(matches) => {
                    self.match_pattern(base, &mut used)
                }
                Field::Number(base) => {
                    let target = self.place(|place| {
                        place.writable
                            && base.is_number() == place.base.is_number()
                            && (base.is_number() || base == place.base)
                            && place.wraps()
                            && (!stores || place.base.holds(base))
                            && (stores || place.readable)
                            && !used.contains(&place.path.root().to_owned())
                    });
                    match target {
                        Some(place) if self.rng.percent(85) => {
                            used.push(place.path.root().to_owned());
                            self.reach_constant(&place.path)
                        }
                        _ => "_".to_owned(),
                    }
                }
                Field::Channel => {
                    let variable = |channel: &Channel| channel.variable && channel.is_plain();
                    match self.channel(variable) {
                        Some(channel) if stores && !used.contains(&channel.path.pieces[0]) => {
                            used.push(channel.path.pieces[0].clone());
                            channel.path.pieces[0].clone()
                        }
                        _ => "_".to_owned(),
                    }
                }
                Field::Struct => "s_m".to_owned(),
            };
            patterns.push(pattern);
        }
        patterns
    }

    /// A value to compare a field with; no variable that the same receive changes, since Spin
    /// compares with the old value and undoes with the new one.
    fn match_pattern(&mut self, base: Base, used: &mut Vec<String>) -> String {
        let same = |place: &Place| {
            place.readable
                && !used.contains(&place.path.root().to_owned())
                && base.is_number() == place.base.is_number()
                && (base.is_number() || base == place.base)
        };
        if self.chance(Feature::Eval, 60)
            && let Some(place) = self.place(same)
        {
            used.push(place.path.root().to_owned());
            return format!("eval({})", self.reach_constant(&place.path));
        }
        if base.is_number() {
            self.rng.below(3).to_string()
        } else {
            self.rng.pick(base.names()).to_string()
        }
    }
}
