//! Random processes.

use crate::feature::Feature;
use crate::generator::{Generator, Parameter, Process, Proctype};
use crate::scope::{Base, Channel, Field, Path};
use crate::statement::{count_steps, detach_d_steps, print_body};

/// A process as the claims see it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The name of its proctype.
    pub name: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its variables that are numbers.
    pub locals: Vec<String>,
}

/// What a process is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It runs from the start.
    Active,
    /// Others run it; it ends soon.
    Worker,
    /// It is the `init` process.
    Init,
}

/// The channels a process uses, as indices into the scope.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    /// Those it sends to.
    pub sends: Vec<usize>,
    /// Those it receives from.
    pub receives: Vec<usize>,
}

/// A process to be written.
#[derive(Clone, Debug)]
pub struct Order {
    /// What it is made for.
    pub role: Role,
    /// Its name and parameters.
    pub signature: Proctype,
    /// How many of it are active from the start.
    pub instances: usize,
    /// About how many statements it should have.
    pub fuel: usize,
    /// The channels it uses.
    pub wiring: Wiring,
    /// Must it run the workers?
    pub spawns: bool,
}

/// A process as text.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What the claims may see of it.
    pub seen: Seen,
    /// How many steps it has.
    pub steps: usize,
    /// How many of it there are at the start, or one.
    pub instances: usize,
}

impl Generator {
    /// The signature of a worker.
    pub fn worker(&mut self, number: usize) -> Proctype {
        let mut parameters = Vec::new();
        if self.rng.percent(60) {
            let base = *self
                .rng
                .pick(&[Base::Byte, Base::Bit, Base::Int, Base::Short]);
            let base = match base {
                Base::Bit if self.has(Feature::Priority) => Base::Byte,
                base => base,
            };
            parameters.push(Parameter {
                name: "pa".to_owned(),
                field: Field::Number(base),
            });
        }
        if self.chance(Feature::Mtype, 30) {
            parameters.push(Parameter {
                name: "pm".to_owned(),
                field: Field::Number(Base::Mtype),
            });
        }
        let plain = |channel: &Channel| channel.is_plain();
        if self.scope.channels.iter().any(plain) && self.rng.percent(60) {
            parameters.push(Parameter {
                name: "pc".to_owned(),
                field: Field::Channel,
            });
        }
        Proctype {
            name: format!("W{number}"),
            parameters,
        }
    }

    /// Writes a process.
    pub fn process(&mut self, order: Order) -> Written {
        let Order {
            role,
            ref signature,
            instances,
            fuel,
            ..
        } = order;
        let mark = self.scope.mark();
        self.process = Process {
            fuel: fuel as isize,
            sends: order.wiring.sends,
            receives: order.wiring.receives,
            ..Process::default()
        };
        let spawner = order.spawns || (role == Role::Active && self.rng.percent(15));
        self.process.spawns = spawner && !self.workers.is_empty();
        let parameters = self.parameters(signature);
        let mut head = self.head(role, signature, &parameters, instances);
        let mut locals = self.locals();
        if role == Role::Active && self.chance(Feature::ReplyChannel, 50) {
            self.process.immortal = true;
            let slots = usize::from(self.buffers_only || self.rng.percent(50));
            locals.push(format!("chan me = [{slots}] of {{ byte }};"));
        }
        if self.has(Feature::Enabled) && role == Role::Active && signature.name != "P0" {
            self.process.asks_enabled = !self.enabled_asked;
            self.enabled_asked = true;
        }
        let body = self.body(role, fuel);
        let mut text = String::new();
        head.push_str(" {\n");
        text.push_str(&head);
        for line in locals {
            text.push_str(&format!("    {line}\n"));
        }
        for counter in 0..self.process.counters {
            text.push_str(&format!("    byte i{counter};\n"));
        }
        if self.chance(Feature::Exclusive, 60) {
            text.push_str(&self.exclusive());
        }
        let body = detach_d_steps(body);
        print_body(&body, 1, &mut text);
        text.push_str("}\n");
        let numbers = self.scope.places[mark.0..].iter();
        let numbers = numbers.filter(|place| {
            let name = &place.path.pieces[0];
            place.base.is_number() && place.path.holes.is_empty() && !name.contains('.')
        });
        let seen = Seen {
            name: signature.name.clone(),
            labels: self.process.all_labels.clone(),
            locals: numbers.map(|place| place.path.pieces[0].clone()).collect(),
        };
        let declared = self.scope.places.len() - mark.0;
        self.scope.reset(mark);
        Written {
            text,
            seen,
            steps: count_steps(&body) + declared,
            instances,
        }
    }

    /// Declares the parameters and returns their text.
    fn parameters(&mut self, signature: &Proctype) -> String {
        let mut texts = Vec::new();
        for parameter in &signature.parameters {
            texts.push(format!("{} {}", parameter.field.keyword(), parameter.name));
            let path = Path::name(&parameter.name);
            match parameter.field {
                Field::Number(base) => self.declare(path, base, false),
                _ => self.use_variable(path),
            }
        }
        texts.join("; ")
    }

    /// Everything before the opening brace.
    fn head(&mut self, role: Role, signature: &Proctype, texts: &str, instances: usize) -> String {
        let name = &signature.name;
        let priority = if self.chance(Feature::Priority, 60) {
            format!(" priority {}", self.rng.range(1, 4))
        } else {
            String::new()
        };
        if role == Role::Init {
            return format!("init{priority}");
        }
        let keyword = if self.chance(Feature::Deterministic, 60) {
            self.process.deterministic = true;
            "D_proctype"
        } else {
            "proctype"
        };
        let active = match (role, instances) {
            (Role::Active, 1) => "active ".to_owned(),
            (Role::Active, count) => format!("active [{count}] "),
            // A parameter of an active process is zero, which is no channel.
            (Role::Worker, _) if !texts.contains("chan") && self.rng.percent(15) => {
                "active ".to_owned()
            }
            _ => String::new(),
        };
        let priority = if role == Role::Active {
            priority
        } else {
            String::new()
        };
        let provided = if self.chance(Feature::Provided, 50) {
            format!(" provided ({})", self.provided())
        } else {
            String::new()
        };
        format!("{active}{keyword} {name}({texts}){priority}{provided}")
    }

    /// A condition over globals, channels or the number of processes that does not hold for ever
    /// against the process.
    fn provided(&mut self) -> String {
        let place = self.place(|place| {
            place.global && place.readable && place.base.is_number() && place.path.holes.is_empty()
        });
        let name = place.map_or("_pid".to_owned(), |place| place.path.pieces[0].clone());
        let channel = self.channel(|channel| channel.is_plain() && channel.global);
        match self.rng.below(6) {
            4 => "_nr_pr != 2".to_owned(),
            5 if let Some(channel) = channel => {
                format!("len({}) != 1", channel.path.pieces[0])
            }
            0 => format!("{name} != 2"),
            1 => format!("{name} == 0 || _pid == 0"),
            2 => format!("{name} < 2"),
            _ => format!("{name} != _pid + 1"),
        }
    }

    fn exclusive(&mut self) -> String {
        let mut text = String::new();
        for (claim, channels) in [
            ("xs", self.process.sends.clone()),
            ("xr", self.process.receives.clone()),
        ] {
            for index in channels {
                let channel = &self.scope.channels[index];
                let line = format!("    {claim} {};\n", channel.path.pieces[0]);
                let plain = channel.path.holes.is_empty() && !channel.variable;
                if plain && self.rng.percent(60) && !self.claimed.contains(&line) {
                    text.push_str(&line);
                    self.claimed.push(line);
                }
            }
        }
        text
    }
}
