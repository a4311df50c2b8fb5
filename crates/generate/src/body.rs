//! Random bodies of processes.

use crate::feature::Feature;
use crate::generator::{Context, Generator};
use crate::process::Role;
use crate::scope::Place;
use crate::statement::{Body, Kind, Statement};

impl Generator {
    /// The body of a process.
    pub fn body(&mut self, role: Role, fuel: usize) -> Body {
        let mut body = match role {
            Role::Worker => {
                let length = self.rng.range(1, 3);
                self.sequence(Context::BODY, length)
            }
            Role::Init if !self.workers.is_empty() => self.init_body(),
            _ if self.process.immortal => self.client_body(),
            _ => self.main_body(fuel),
        };
        if self.faulty {
            self.faulty = false;
            body.push(self.fault());
        }
        if self.process.jumps_to_end {
            let last = if self.rng.percent(50) {
                Some(Box::new(self.assignment()))
            } else {
                None
            };
            body.push(Statement::Label("done".to_owned(), last));
        }
        body
    }

    /// A statement that Spin does not survive, or that makes nonsense of what follows.
    fn fault(&mut self) -> Statement {
        let array = self.place(|place| place.path.holes.len() == 1);
        match array {
            Some(place) if self.rng.percent(50) => {
                let index = (place.path.holes[0] + 1).to_string();
                Statement::plain(format!("{} == 1", place.path.fill(&[index])))
            }
            _ => {
                let place = self.place(|place| place.global && place.path.holes.is_empty());
                let name = place.expect("a global").path.pieces[0].clone();
                Statement::plain(format!("1 / ({name} - {name}) == 1"))
            }
        }
    }

    /// A loop with something before or behind it, or a sequence.
    fn main_body(&mut self, fuel: usize) -> Body {
        let mut body = Body::new();
        if self.rng.percent(30) {
            body.push(self.assignment());
        }
        let shape = self.rng.below(20);
        let context = match body.is_empty() {
            true => Context::BODY,
            false => Context::BODY.after(),
        };
        match shape {
            0..5 => {
                let length = self.rng.range(2, 2 + fuel / 2);
                body.extend(self.sequence(context, length));
                return body;
            }
            5..8 => body.extend(self.sequence(context, 1)),
            _ => {}
        }
        let mut options = self.wired_options();
        if self.rng.percent(40) && !self.process.deterministic {
            options.push(vec![self.assignment()]);
        }
        if self.process.spawns && !self.process.deterministic && self.rng.percent(75) {
            options.truncate(2);
            options.push(self.run(Context::BODY));
        }
        let mut choice = self.choice_of(Kind::Do, Context::BODY.after(), options);
        if self.has(Feature::LabelKinds) || self.rng.percent(25) {
            let label = if self.rng.percent(50) {
                "end".to_owned()
            } else {
                self.new_label()
            };
            self.process.all_labels.push(label.clone());
            choice = Statement::Label(label, Some(Box::new(choice)));
        }
        body.push(choice);
        if self.rng.percent(50) {
            body.extend(self.sequence(Context::BODY.after(), 1));
        }
        body
    }

    /// Options for the channels of the process, so that most channels have both ends.
    fn wired_options(&mut self) -> Vec<Body> {
        let mut starts = Vec::new();
        for index in self.process.sends.clone() {
            let channel = self.scope.channels[index].clone();
            starts.push(vec![Statement::plain(self.send(&channel))]);
        }
        for index in self.process.receives.clone() {
            let channel = self.scope.channels[index].clone();
            let receive = self.receive_any(&channel);
            let mut body = vec![Statement::plain(&receive)];
            if receive.starts_with('k') && receive.contains("lq") {
                body.push(Statement::plain(format!("lq!{}", self.rng.below(2))));
            }
            starts.push(body);
        }
        let deterministic = self.process.deterministic;
        let context = Context {
            depth: 1,
            ..Context::BODY.after()
        };
        let most = if self.most_depth == 2 { 2 } else { 3 };
        let mut options = Vec::new();
        for mut start in starts {
            if options.len() == most || (deterministic && options.len() == 1) {
                break;
            }
            if self.rng.percent(25) {
                continue;
            }
            if self.chance(Feature::Atomic, 30) {
                start.push(self.assignment());
                match self.rng.below(5) {
                    0 => start.insert(0, self.assignment()),
                    1 => start.insert(0, Statement::plain(self.truth(1).text())),
                    2 | 3 => self.communicate_inside(context, &mut start),
                    _ => {}
                }
                start = vec![Statement::block("atomic", start)];
            } else {
                let length = self.rng.weighted(&[(3, 0), (4, 1), (1, 2)]);
                start.extend(self.sequence(context, length));
            }
            options.push(start);
        }
        options
    }

    /// A loop of a process that lets others answer on a channel of its own. It never ends, since
    /// its channel would end with it.
    fn client_body(&mut self) -> Body {
        let request = self.channel(|channel| channel.path.pieces[0] == "k");
        let request = request.expect("there is a channel for channels");
        let message = if request.fields.len() == 2 {
            "1,me"
        } else {
            "me"
        };
        let target =
            |place: &Place| place.writable && place.base.is_number() && place.path.holes.is_empty();
        let target = self.place(target).map(|place| place.path.pieces[0].clone());
        let ask = vec![
            Statement::plain(format!("k!{message}")),
            Statement::plain(format!("me?{}", target.unwrap_or("_".to_owned()))),
        ];
        let choice = self.choice_of(Kind::Do, Context::BODY.after(), vec![ask]);
        vec![Statement::Label("end".to_owned(), Some(Box::new(choice)))]
    }

    /// A body that runs the workers.
    fn init_body(&mut self) -> Body {
        let mut body = Body::new();
        let context = Context::BODY.after();
        if self.rng.percent(30) {
            body.extend(self.sequence(Context::BODY, 1));
        }
        let mut runs = Body::new();
        for _ in 0..self.rng.range(1, 2) {
            runs.extend(self.run(Context::BODY));
        }
        match self.rng.below(4) {
            0 => body.extend(runs),
            1 if runs.iter().all(|run| matches!(run, Statement::Plain(_))) => {
                body.push(Statement::block("atomic", runs));
            }
            _ => {
                let mut options = vec![runs];
                if self.rng.percent(40) {
                    let guard = Context {
                        guard: true,
                        ..Context::BODY.inner()
                    };
                    options.push(self.sequence(guard, 1));
                }
                if self.rng.percent(60) {
                    options.push(vec![Statement::plain("break")]);
                }
                body.push(Statement::Choice(Kind::Do, options));
            }
        }
        if self.rng.percent(40) {
            body.extend(self.sequence(context, 1));
        }
        body
    }
}
