//! The state of the generator while it writes a model.

use crate::feature::{Feature, Features};
use crate::rng::Rng;
use crate::scope::{Base, Channel, Field, Place, Scope};

/// How far the current statement can be interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// After every step.
    Plain,
    /// Where it blocks. Loops must end: no state inside is stored.
    Atomic,
    /// Never. Nothing but the first statement may block, and all jumps stay inside.
    DStep,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How many compound statements are around it.
    pub depth: usize,
    /// How far it can be interrupted.
    pub region: Region,
    /// Is there a loop that `break` may leave?
    pub in_loop: bool,
    /// Is there a counting loop around it, so that no jump may come in from outside?
    pub in_count: bool,
    /// Must its first statement offer no `else`, because it is merged into a choice with one?
    pub no_else: bool,
    /// Is there a statement in front of it?
    pub follows: bool,
    /// Does it start an option?
    pub guard: bool,
}

impl Context {
    /// The body of a process.
    pub const BODY: Context = Context {
        depth: 0,
        region: Region::Plain,
        in_loop: false,
        in_count: false,
        no_else: false,
        follows: false,
        guard: false,
    };

    /// One level deeper, at the start of a list of statements.
    pub fn inner(self) -> Context {
        Context {
            depth: self.depth + 1,
            follows: false,
            ..self
        }
    }

    /// Behind the first statement of a list.
    pub fn after(self) -> Context {
        Context {
            no_else: false,
            follows: true,
            guard: false,
            ..self
        }
    }

    /// May the statement leave a loop around it?
    pub fn may_break(self) -> bool {
        self.in_loop && self.region != Region::DStep
    }

    /// May the statement block?
    pub fn may_block(self) -> bool {
        self.region != Region::DStep
    }
}

/// A parameter of a proctype.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub field: Field,
}

/// What others need to know to run a process.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// What others need to know to use an inline.
#[derive(Clone, Debug)]
pub struct Inline {
    /// Its name.
    pub name: String,
    /// Is its first parameter a variable to assign to?
    pub assigns: bool,
    /// Has it a second parameter, a value?
    pub takes_value: bool,
    /// May it block?
    pub blocks: bool,
}

/// A macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Macro {
    /// `LIMIT`, a small number.
    Limit,
    /// `NEXT(v)`, the next value modulo a small number.
    Next,
    /// `READY`, a condition over globals.
    Ready,
}

/// What is known about the process in the making.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// How many more statements it should get.
    pub fuel: isize,
    /// The channels it sends to, as indices into the scope.
    pub sends: Vec<usize>,
    /// The channels it receives from.
    pub receives: Vec<usize>,
    /// The labels a jump from anywhere may go to.
    pub labels: Vec<String>,
    /// The labels outside atomic sequences, for remote references.
    pub all_labels: Vec<String>,
    /// Does a jump to the label at its end occur?
    pub jumps_to_end: bool,
    /// How many counters of loops it needs.
    pub counters: usize,
    /// The counters in use here with their largest values.
    pub counting: Vec<(String, usize)>,
    /// May it run others?
    pub spawns: bool,
    /// May it ask whether others are enabled?
    pub asks_enabled: bool,
    /// How many variables are declared in the blocks around here and before.
    pub declared: usize,
    /// How many blocks are around here.
    pub blocks: usize,
    /// How many labels it has.
    pub label_count: usize,
    /// Is the present statement in the escape of an `unless`?
    pub in_escape: bool,
    /// Must it never end, because others know a channel of its own?
    pub immortal: bool,
    /// Must it do without nondeterminism?
    pub deterministic: bool,
}

/// The generator.
#[derive(Debug)]
pub struct Generator {
    /// Where all choices come from.
    pub rng: Rng,
    /// What the model may contain.
    pub features: Features,
    /// What is visible.
    pub scope: Scope,
    /// The process in the making.
    pub process: Process,
    /// The type of the last field of the structure type, if there is one.
    pub structure: Option<Base>,
    /// The inlines defined so far.
    pub inlines: Vec<Inline>,
    /// The macros defined so far.
    pub macros: Vec<Macro>,
    /// Must all channels have slots?
    pub buffers_only: bool,
    /// How deep statements nest: less the more processes there are.
    pub most_depth: usize,
    /// The exclusive claims made so far: only one process may make each.
    pub claimed: Vec<String>,
    /// Is a statement that Spin does not survive still to be written?
    pub faulty: bool,
    /// Does a process ask whether another one is enabled?
    pub enabled_asked: bool,
    /// The proctypes to run.
    pub workers: Vec<Proctype>,
    /// Must there be a formula?
    pub asks: bool,
}

impl Generator {
    /// A generator for the model of `seed`. Each attempt is another model of the same features,
    /// so that features do not become rare because their models are often turned down.
    pub fn new(seed: u64, attempt: u64) -> Self {
        let features = Features::random(&mut Rng::new(seed));
        let rng = Rng::new(seed ^ ((attempt + 1) << 48));
        Generator {
            rng,
            features,
            scope: Scope::default(),
            process: Process::default(),
            structure: None,
            inlines: Vec::new(),
            macros: Vec::new(),
            buffers_only: features.buffers_only(),
            most_depth: 4,
            claimed: Vec::new(),
            faulty: features.has(Feature::Fault),
            enabled_asked: false,
            workers: Vec::new(),
            asks: false,
        }
    }

    /// Is the feature on?
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// Is the feature on, and does the die say yes?
    pub fn chance(&mut self, feature: Feature, percent: usize) -> bool {
        self.has(feature) && self.rng.percent(percent)
    }

    /// A visible number with a property.
    pub fn place(&mut self, wanted: impl Fn(&Place) -> bool) -> Option<Place> {
        let places = self.scope.places.iter().filter(|place| wanted(place));
        let places: Vec<&Place> = places.collect();
        if places.is_empty() {
            return None;
        }
        Some((*self.rng.pick(&places)).clone())
    }

    /// A visible channel with a property.
    pub fn channel(&mut self, wanted: impl Fn(&Channel) -> bool) -> Option<Channel> {
        let channels = self.scope.channels.iter().filter(|channel| wanted(channel));
        let channels: Vec<&Channel> = channels.collect();
        if channels.is_empty() {
            return None;
        }
        Some((*self.rng.pick(&channels)).clone())
    }

    /// A new label. With the feature for it, some get a prefix with a meaning.
    pub fn new_label(&mut self) -> String {
        let number = self.process.label_count;
        self.process.label_count += 1;
        let prefix = if self.chance(Feature::LabelKinds, 60) {
            *self.rng.pick(&["end", "progress", "accept"])
        } else {
            "L"
        };
        format!("{prefix}{number}")
    }
}
