//! A whole model.

use crate::feature::Feature;
use crate::generator::{Context, Generator, Inline, Proctype};
use crate::process::{Order, Role, Seen, Wiring, Written};
use crate::scope::{Base, Path, Place};
use crate::statement::{Body, Kind, Statement, print_body};

/// A model, with an estimate of its size.
#[derive(Clone, Debug)]
pub struct Program {
    /// The text.
    pub text: String,
    /// The product of the numbers of steps of the processes, more with more global data.
    pub size: u64,
    /// Has every channel somebody who sends and somebody who receives, and does somebody run what
    /// is there to be run? A few models are let off.
    pub connected: bool,
}

/// Which processes there are.
#[derive(Clone, Debug)]
struct Plan {
    /// The proctypes that are active from the start, each with the number of its instances.
    instances: Vec<usize>,
    /// Is there an `init` process?
    init: bool,
    /// How many proctypes there are that others run.
    workers: usize,
}

impl Plan {
    /// About how many processes run at the same time.
    fn crowd(&self) -> usize {
        let running = if self.workers > 0 { 2 } else { 0 };
        self.instances.iter().sum::<usize>() + usize::from(self.init) + running
    }
}

impl Generator {
    /// The model.
    pub fn program(&mut self) -> Program {
        let plan = self.plan();
        self.most_depth = 5 - plan.crowd().min(3);
        // A rendezvous needs two.
        self.buffers_only |= plan.crowd() == 1;
        let mut text = String::new();
        for line in self.globals() {
            text.push_str(&line);
            text.push('\n');
        }
        if self.has(Feature::Inline) {
            for number in 0..self.rng.range(1, 2) {
                text.push('\n');
                text.push_str(&self.inline(number));
            }
        }
        let (processes, seen) = self.processes(&plan);
        let mut size: u64 = 1;
        for process in &processes {
            text.push('\n');
            text.push_str(&process.text);
            let steps = process.steps as u64 + 1;
            for _ in 0..process.instances {
                size = size.saturating_mul(steps);
            }
        }
        size = size.saturating_mul(4 + self.scope.cells() as u64) / 4;
        for claim in self.claims(&seen) {
            text.push('\n');
            text.push_str(&claim);
        }
        let connected = self.rng.percent(5) || self.is_connected(&text);
        Program {
            text,
            size,
            connected,
        }
    }

    fn is_connected(&self, text: &str) -> bool {
        let runs = self.workers.is_empty() || text.contains("run ");
        let mut channels = self.scope.channels.iter();
        runs && channels.all(|channel| {
            let name = &channel.path.pieces[0];
            let uses = text.match_indices(name.as_str()).filter(|&(start, _)| {
                let before = text[..start].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
            });
            let signs = uses.map(|(start, _)| {
                let behind = &text[start + name.len()..];
                // Past the index of an array.
                let behind = match behind.strip_prefix('[') {
                    Some(index) => index.split_once(']').map_or("", |(_, rest)| rest),
                    None => behind,
                };
                behind.chars().next()
            });
            let signs: Vec<Option<char>> = signs.collect();
            signs.contains(&Some('!')) && signs.contains(&Some('?'))
        })
    }

    /// Decides which processes there are.
    fn plan(&mut self) -> Plan {
        let runs = self.has(Feature::Run);
        let workers = if runs { self.rng.range(1, 2) } else { 0 };
        let init = self.rng.percent(if runs { 70 } else { 15 });
        let mut left = self.rng.weighted(&[(8, 1), (46, 2), (40, 3), (6, 4)]);
        if init {
            left -= 1;
        }
        if runs && left > 1 {
            left -= 1;
        }
        let mut instances = Vec::new();
        while left > 0 {
            let many = self.has(Feature::ActiveMany) && left >= 2 && self.rng.percent(70);
            let count = if many { 2 } else { 1 };
            instances.push(count);
            left -= count;
        }
        Plan {
            instances,
            init,
            workers,
        }
    }

    /// The definition of an inline.
    fn inline(&mut self, number: usize) -> String {
        let mark = self.scope.mark();
        let assigns = self.rng.percent(60);
        let takes_value = self.rng.percent(60);
        let mut blocks = self.rng.percent(40);
        let mut parameters = Vec::new();
        for (wanted, name, writable) in [(assigns, "ta", true), (takes_value, "va", false)] {
            if wanted {
                parameters.push(name);
                self.scope.places.push(Place {
                    path: Path::name(name),
                    base: Base::Byte,
                    readable: true,
                    writable,
                    global: false,
                });
            }
        }
        let mut body = Body::new();
        if blocks {
            body.push(Statement::plain(self.guard()));
        }
        if self.chance(Feature::Declaration, 40) {
            body.push(self.declaration_of(&format!("own{number}")));
        }
        body.push(self.assignment());
        if assigns {
            let value = self.small().text();
            body.push(Statement::plain(format!("ta = {value}")));
        }
        if self.rng.percent(25) && !self.inlines.is_empty() {
            blocks |= self.inlines.iter().any(|inline| inline.blocks);
            body.push(self.call(Context::BODY));
        }
        if self.rng.percent(40) {
            let options = vec![
                vec![Statement::plain(self.truth(1).text()), self.assignment()],
                vec![Statement::plain("else")],
            ];
            body.push(Statement::Choice(Kind::If, options));
        }
        self.scope.reset(mark);
        let name = format!("step{number}");
        let mut text = format!("inline {name}({}) {{\n", parameters.join(", "));
        print_body(&body, 1, &mut text);
        text.push_str("}\n");
        self.inlines.push(Inline {
            name,
            assigns,
            takes_value,
            blocks,
        });
        text
    }

    /// The processes in the order of the text, and the active ones by pid.
    fn processes(&mut self, plan: &Plan) -> (Vec<Written>, Vec<Seen>) {
        for number in 0..plan.workers {
            let worker = self.worker(number);
            self.workers.push(worker);
        }
        let fuel = match plan.crowd() {
            0 | 1 => 14,
            2 => 9,
            3 => 5,
            _ => 4,
        };
        let actors = plan.instances.len() + usize::from(plan.init) + plan.workers;
        let mut wirings = self.wirings(actors);
        let mut written = Vec::new();
        let mut seen = Vec::new();
        for (number, &instances) in plan.instances.iter().enumerate() {
            let order = Order {
                role: Role::Active,
                signature: Proctype {
                    name: format!("P{number}"),
                    parameters: Vec::new(),
                },
                instances,
                fuel,
                wiring: wirings.pop().expect("one each"),
                spawns: number == 0 && !plan.init,
            };
            let process = self.process(order);
            seen.extend(vec![process.seen.clone(); instances]);
            written.push(process);
        }
        if plan.init {
            written.push(self.process(Order {
                role: Role::Init,
                signature: Proctype {
                    name: ":init:".to_owned(),
                    parameters: Vec::new(),
                },
                instances: 1,
                fuel,
                wiring: wirings.pop().expect("one each"),
                spawns: true,
            }));
        }
        for signature in self.workers.clone() {
            let process = self.process(Order {
                role: Role::Worker,
                signature,
                // For the estimate: others run it again and again.
                instances: 3 - plan.workers,
                fuel: fuel / 2,
                wiring: wirings.pop().expect("one each"),
                spawns: false,
            });
            let position = self.rng.range(0, written.len());
            written.insert(position, process);
        }
        (written, seen)
    }

    /// Distributes the channels: each gets somebody who sends and somebody who receives.
    fn wirings(&mut self, actors: usize) -> Vec<Wiring> {
        let mut wirings = vec![Wiring::default(); actors];
        for channel in 0..self.scope.channels.len() {
            let sender = self.rng.below(actors);
            let mut receiver = self.rng.below(actors);
            if receiver == sender {
                receiver = (receiver + 1) % actors;
            }
            for (actor, wiring) in wirings.iter_mut().enumerate() {
                if actor == sender || self.rng.percent(15) {
                    wiring.sends.push(channel);
                }
                if actor == receiver || self.rng.percent(15) {
                    wiring.receives.push(channel);
                }
            }
        }
        wirings
    }
}
