//! Random models whose exchangeable members have several names each.
//!
//! A member is an index with one process of each of one or two families, started together, and
//! channels: elements of two arrays, or local ones. So it goes by its index, the pids of its
//! processes and the numbers of its channels. A model keeps a few of these names in variables,
//! arrays and messages, compares them with those of the process at hand, copies them, and uses
//! them: as an index, as a channel, as the process of a remote reference. Two names of one member in
//! one variable tell states apart that an exchange of members must not confuse.
//!
//! Spin accepts these models.

use crate::Rng;

/// The index and the pid of nobody.
const NOBODY: &str = "0";

/// What the statements of a model are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Topic {
    /// Indices and pids in variables.
    Numbers,
    /// Channels in variables.
    Channels,
    /// Messages on the channels of members.
    Traffic,
    /// Indices and pids as messages.
    Mail,
    /// Channels as messages.
    Post,
    /// Loops over all members.
    Rounds,
    /// Variables of other processes.
    Remote,
}

const TOPICS: [(usize, Topic); 7] = [
    (4, Topic::Numbers),
    (4, Topic::Channels),
    (3, Topic::Traffic),
    (2, Topic::Mail),
    (2, Topic::Post),
    (2, Topic::Rounds),
    (2, Topic::Remote),
];

/// Writes one model.
struct Writer {
    rng: Rng,
    members: usize,
    /// The names of the proctypes, one process of each for a member.
    families: &'static [&'static str],
    topics: Vec<Topic>,
    /// The numbers by which members go: the index, the pid, or both.
    numbers: &'static [&'static str],
    /// The channels by which members go.
    channels: &'static [&'static str],
    /// Slots of the channels in arrays.
    slots: [usize; 2],
}

/// A random model. The same seed gives the same text, on every machine.
pub fn role_model(seed: u64) -> String {
    Writer::new(seed).model(false)
}

/// The same with a random formula, called `asked`, that means all members alike.
pub fn role_model_with_formula(seed: u64) -> String {
    Writer::new(seed).model(true)
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut rng = Rng::new(seed ^ 0x401e5);
        let families: &[&str] = match rng.percent(50) {
            true => &["P"],
            false => &["P", "Q"],
        };
        let members = match families.len() {
            1 => rng.range(2, 3),
            _ => 2,
        };
        let topics = (0..rng.range(1, 2))
            .map(|_| rng.weighted(&TOPICS))
            .collect();
        let numbers: &'static [&'static str] = match rng.below(10) {
            0..4 => &["me"],
            4..8 => &["_pid"],
            _ => &["me", "_pid"],
        };
        let channels: &'static [&'static str] = match rng.below(10) {
            0..4 => &["p[me]", "v[me]"],
            4 | 5 => &["own", "spare"],
            6 => &["p[me]", "own"],
            7 => &["given", "v[me]"],
            8 => &["p[me]"],
            _ => &["own"],
        };
        Writer {
            members,
            families,
            topics,
            numbers,
            channels,
            slots: [rng.below(2), rng.below(2)],
            rng,
        }
    }

    fn about(&self, topic: Topic) -> bool {
        self.topics.contains(&topic)
    }

    fn uses_channels(&self) -> bool {
        let topics = [Topic::Channels, Topic::Traffic, Topic::Post, Topic::Rounds];
        topics.into_iter().any(|topic| self.about(topic))
    }

    fn model(mut self, asks: bool) -> String {
        let size = self.members + 1;
        let mut text = format!("byte who, count;\nbyte m[{size}];\nbit flag[{size}];\n");
        if self.uses_channels() {
            let [p, v] = self.slots;
            text += &format!("chan p[{size}] = [{p}] of {{ byte }};\n");
            text += &format!("chan v[{size}] = [{v}] of {{ byte }};\n");
            text += "chan at;\n";
        }
        if self.about(Topic::Mail) {
            let slots = self.rng.below(2);
            text += &format!("chan mail = [{slots}] of {{ byte }};\n");
        }
        if self.about(Topic::Post) {
            let slots = self.rng.below(2);
            text += &format!("chan post = [{slots}] of {{ chan }};\n");
        }
        for family in self.families {
            text += &self.proctype(family);
        }
        text += &self.init();
        if asks {
            text += &self.formula();
        }
        text
    }

    /// Starts the families, member by member or family by family.
    fn init(&mut self) -> String {
        let (families, members) = (self.families, self.members);
        let gives = self.uses_channels() && self.channels.contains(&"given");
        let run = |family: &str, member: &str| match gives {
            true => format!("run {family}({member}, p[{member}])"),
            false => format!("run {family}({member})"),
        };
        let numbers = || (1..=members).map(|member| member.to_string());
        let runs: Vec<String> = match self.rng.below(3) {
            0 => {
                let runs: Vec<String> = families.iter().map(|family| run(family, "k")).collect();
                let runs = runs.join("; ");
                vec![format!("for (k : 1 .. {members}) {{ {runs} }}; k = 0")]
            }
            1 => families
                .iter()
                .flat_map(|family| numbers().map(move |member| run(family, &member)))
                .collect(),
            _ => numbers()
                .flat_map(|member| families.iter().map(move |family| run(family, &member)))
                .collect(),
        };
        format!("init {{ byte k; atomic {{ {} }} }}\n", runs.join("; "))
    }

    fn proctype(&mut self, family: &str) -> String {
        let channels = self.uses_channels();
        let given = channels && self.channels.contains(&"given");
        let parameters = if given {
            "byte me; chan given"
        } else {
            "byte me"
        };
        let mut text = format!("proctype {family}({parameters}) {{\n  byte x, j;\n");
        for name in ["own", "spare"] {
            if channels && self.channels.contains(&name) {
                let slots = self.rng.below(2);
                text += &format!("  chan {name} = [{slots}] of {{ byte }};\n");
            }
        }
        if channels {
            text += &format!("  chan c;\n  c = {};\n", self.channel());
        }
        let count = self.rng.range(2, 4);
        let mut body: Vec<String> = (0..count).map(|_| self.statement(family)).collect();
        text += &match self.rng.below(10) {
            0..3 => format!("  {}\n", body.join(";\n  ")),
            3 | 4 => format!("  do\n  :: {}\n  od\n", body.join("; ")),
            _ => {
                // An `if` at the head of an option is part of the choice: one `else` is enough.
                for option in body.iter_mut().filter(|s| s.starts_with("if")).skip(1) {
                    option.insert_str(0, "true -> ");
                }
                format!("  do\n  :: {}\n  od\n", body.join("\n  :: "))
            }
        };
        text + "}\n"
    }

    fn statement(&mut self, family: &str) -> String {
        if self.rng.percent(15) {
            return self.common();
        }
        let topic = self.topics[self.rng.below(self.topics.len())];
        match topic {
            Topic::Numbers => self.numbers(),
            Topic::Channels => self.channels(),
            Topic::Traffic => self.traffic(),
            Topic::Mail => self.mail(),
            Topic::Post => self.post(),
            Topic::Rounds => self.round(),
            Topic::Remote => self.remote(family),
        }
    }

    /// A number by which the member goes.
    fn number(&mut self) -> &'static str {
        self.numbers[self.rng.below(self.numbers.len())]
    }

    /// A channel by which the member goes.
    fn channel(&mut self) -> &'static str {
        self.channels[self.rng.below(self.channels.len())]
    }

    /// What says nothing about other members.
    fn common(&mut self) -> String {
        match self.rng.below(4) {
            0 => format!("flag[me] = {}", self.rng.below(2)),
            1 => format!("count = {}", self.rng.below(3)),
            2 => "(flag[me] == 0)".to_owned(),
            _ => "if :: flag[me] == 1 -> count = 1; count = 0 :: else fi".to_owned(),
        }
    }

    /// A variable compared with a name.
    fn comparison(&mut self, holder: &str, name: &str) -> String {
        let then = match self.rng.below(5) {
            0 | 1 => "assert(false)".to_owned(),
            2 => "flag[me] = 1 - flag[me]".to_owned(),
            3 => "count = 1; count = 0".to_owned(),
            _ => format!("{holder} = {name}"),
        };
        match self.rng.below(5) {
            0 | 1 => format!("atomic {{ {holder} == {name} -> {then} }}"),
            2 => format!("if :: {holder} == {name} -> {then} :: else fi"),
            3 => format!("({holder} != {name})"),
            _ => format!("assert({holder} != {name} || flag[me] == 0)"),
        }
    }

    fn numbers(&mut self) -> String {
        let holder = *self.rng.pick(&["who", "m[me]", "m[me]", "x"]);
        let name = self.number();
        match self.rng.below(9) {
            0..3 => format!("{holder} = {name}"),
            3..6 => self.comparison(holder, name),
            6 => format!("{holder} = {NOBODY}"),
            7 => {
                let (from, to) = *self
                    .rng
                    .pick(&[("who", "x"), ("m[me]", "x"), ("x", "m[me]")]);
                format!("{to} = {from}")
            }
            _ if self.numbers == ["me"] => match self.rng.below(2) {
                0 => format!("flag[who] = {}", self.rng.below(2)),
                _ => "(m[who] == 0)".to_owned(),
            },
            _ => "if :: who == m[me] -> flag[me] = 1 :: else fi".to_owned(),
        }
    }

    fn channels(&mut self) -> String {
        let holder = *self.rng.pick(&["c", "c", "at"]);
        let name = self.channel();
        match self.rng.below(8) {
            0..3 => format!("{holder} = {name}"),
            3..6 => self.comparison(holder, name),
            6 => "c = at".to_owned(),
            _ => format!(
                "if :: c == at -> flag[me] = {} :: else fi",
                self.rng.below(2)
            ),
        }
    }

    fn traffic(&mut self) -> String {
        let channel = match self.rng.percent(30) {
            true => "c",
            false => self.channel(),
        };
        let number = self.number();
        match self.rng.below(6) {
            0 => format!("{channel} ! {number}"),
            1 => format!("{channel} ? x"),
            2 => format!("{channel} ? eval({number})"),
            3 => format!("if :: {channel} ! 0 :: else -> {channel} ? _ fi"),
            4 => format!("{channel} ? _"),
            _ => self.comparison("x", number),
        }
    }

    fn mail(&mut self) -> String {
        let number = self.number();
        match self.rng.below(6) {
            0 | 1 => format!("mail ! {number}"),
            2 => "mail ? x".to_owned(),
            3 => format!("mail ? eval({number})"),
            4 => "mail ? who".to_owned(),
            _ => {
                let holder = *self.rng.pick(&["x", "who"]);
                self.comparison(holder, number)
            }
        }
    }

    fn post(&mut self) -> String {
        let channel = self.channel();
        match self.rng.below(6) {
            0 | 1 => format!("post ! {channel}"),
            2 => "post ? c".to_owned(),
            3 => format!("post ? eval({channel})"),
            4 => "post ? at".to_owned(),
            _ => {
                let holder = *self.rng.pick(&["c", "at"]);
                self.comparison(holder, channel)
            }
        }
    }

    /// A loop over all members in one step.
    fn round(&mut self) -> String {
        let array = *self.rng.pick(&["p", "v"]);
        let number = self.number();
        let body = match self.rng.below(7) {
            0 => "flag[j] = 0".to_owned(),
            1 => format!("m[j] = {number}"),
            2 => format!("if :: nfull({array}[j]) -> {array}[j] ! {number} :: else fi"),
            3 => format!("if :: nempty({array}[j]) -> {array}[j] ? _ :: else fi"),
            4 => format!("if :: m[j] == {number} -> m[j] = 0; count = 1 :: else fi"),
            5 => "if :: j != me -> flag[j] = flag[me] :: else fi".to_owned(),
            _ => format!("{array}[j] ! {number}"),
        };
        let kind = *self.rng.pick(&["atomic", "d_step"]);
        let members = self.members;
        format!("{kind} {{ for (j : 1 .. {members}) {{ {body} }}; j = 0 }}")
    }

    /// A variable of another process, which is named by its pid.
    fn remote(&mut self, family: &str) -> String {
        // Mostly of a proctype that is declared before.
        let of = match self.rng.percent(70) {
            true => "P",
            false => family,
        };
        let holder = *self.rng.pick(&["who", "m[me]", "x"]);
        match self.rng.below(6) {
            0 if of == family => format!("{holder} = _pid"),
            0 => format!("{holder} = {NOBODY}"),
            1 => format!("({of}[{holder}]:x == 0)"),
            2 => format!("if :: {holder} > 0 -> {of}[{holder}]:x == 0 :: else fi"),
            3 => format!("count = {of}[{holder}]:x; count = 0"),
            4 => "x = 1 - x".to_owned(),
            _ => format!("if :: {holder} == _pid -> flag[me] = 1 :: else fi"),
        }
    }

    /// A condition that holds for all members, or for some.
    fn quantified(&mut self) -> String {
        let about = *self
            .rng
            .pick(&["flag[%] == 1", "m[%] == 0", "who != %", "flag[%] == 0"]);
        let joint = *self.rng.pick(&[" && ", " || "]);
        let parts: Vec<String> = (1..=self.members)
            .map(|member| about.replace('%', &member.to_string()))
            .collect();
        parts.join(joint)
    }

    fn proposition(&mut self) -> String {
        match self.rng.below(4) {
            0 => format!("(who == {NOBODY})"),
            1 => "(count > 0)".to_owned(),
            2 => "(count == 7)".to_owned(),
            _ => format!("({})", self.quantified()),
        }
    }

    fn formula(&mut self) -> String {
        let (one, other) = (self.proposition(), self.proposition());
        let formula = match self.rng.below(5) {
            0 => format!("<> {one}"),
            1 => format!("[] <> {one}"),
            2 => format!("[] ({one} -> <> {other})"),
            3 => format!("{one} U {other}"),
            _ => format!("<> [] {one}"),
        };
        format!("ltl asked {{ {formula} }}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_text() {
        for seed in 0..50 {
            assert_eq!(role_model(seed), role_model(seed));
        }
    }

    #[test]
    fn all_topics_come_up() {
        let texts: String = (0..100).map(role_model).collect();
        for part in [
            "c = v[me]",
            "m[me] == _pid",
            "mail !",
            "post !",
            "d_step",
            "]:x",
        ] {
            assert!(texts.contains(part), "{part}");
        }
    }
}
