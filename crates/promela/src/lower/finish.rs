//! The end of the lowering: automata are built, offsets settled, loose references resolved.

use model::layout::ChannelSlot;
use model::{Base, Initialiser, LivenessKind, LivenessProperty, Model, ProcessKind, Variable};

use super::automaton::Automaton;
use super::types::FirstValue;
use super::{HIDDEN, Lowerer, PRIORITY_PLACE, grown};
use crate::ast::Program;
use crate::diagnostic::Diagnostic;

/// The largest frame or global part, in bytes.
const LARGEST: u32 = 1 << 26;
/// The most global channels.
const MOST_CHANNELS: usize = 255;

impl Lowerer<'_> {
    pub(super) fn finish(mut self, program: &Program) -> (Model, Vec<Diagnostic>) {
        self.resolve_remote_labels();
        self.check_runs();
        if program.skipped.is_empty() {
            self.check_sends();
        }
        self.check_combinations();
        self.model.globals = self.globals.iter().map(|s| self.variable(s)).collect();
        for body in &mut self.bodies {
            Automaton::build(
                &mut body.flow,
                &mut self.model,
                body.proctype,
                body.claim,
                &mut self.diagnostics,
            );
        }
        self.note_acceptance();
        self.settle_offsets();
        self.check_sizes();
        (self.model, self.diagnostics)
    }

    fn check_runs(&mut self) {
        for (span, proctype, given) in std::mem::take(&mut self.runs) {
            let proctype = self.model.proctype(proctype);
            let wanted = proctype.params.len();
            if given != wanted {
                let message = format!(
                    "`{}` takes {wanted} argument{}, but {given} {} given",
                    proctype.name,
                    if wanted == 1 { "" } else { "s" },
                    if given == 1 { "is" } else { "are" },
                );
                self.diagnostics.push(Diagnostic::error(span, message));
            }
        }
    }

    /// Which channel a statement sends to is only known at run time, but no channel takes
    /// more fields than the widest one.
    fn check_sends(&mut self) {
        let widest = self.model.channel_types.iter().map(|ty| ty.fields.len());
        let widest = widest.max().unwrap_or(0);
        for (span, given) in std::mem::take(&mut self.sends) {
            if given > widest {
                let (fields, are) = match given {
                    1 => ("field", "is"),
                    _ => ("fields", "are"),
                };
                let message = format!("{given} {fields} {are} sent, but no channel has that many");
                self.diagnostics
                    .push(
                        Diagnostic::error(span, message).help(match widest {
                            0 => "the model creates no channel: write `chan c = [1] of { byte }`"
                                .to_owned(),
                            _ => format!("the widest channel of the model has {widest}"),
                        }),
                    );
            }
        }
    }

    /// What Spin refuses as a whole.
    fn check_combinations(&mut self) {
        if let (Some(enabled), Some(channel)) = (self.enabled_at, self.rendezvous_at) {
            self.diagnostics.push(
                Diagnostic::error(enabled, "enabled() in a model with rendezvous channels")
                    .note(channel, "a rendezvous channel")
                    .help("whether a handshake is enabled depends on two processes at once"),
            );
        }
        if let (Some(priority), Some(channel)) = (self.priority_at, self.rendezvous_at) {
            self.diagnostics.push(
                Diagnostic::error(priority, "priorities in a model with rendezvous channels")
                    .note(channel, "a rendezvous channel")
                    .help("the two processes of a handshake may have different priorities"),
            );
        }
        if self.model.starts.is_empty() {
            self.diagnostics.push(
                Diagnostic::error(crate::source::Span::default(), "no process is started")
                    .help("add an init process, or make a proctype active"),
            );
        }
    }

    /// A program with accept labels states a property that needs a search for cycles.
    fn note_acceptance(&mut self) {
        let accepting = self.model.proctypes.iter().find(|p| {
            matches!(p.kind, ProcessKind::Proctype | ProcessKind::Init)
                && p.states.iter().any(|state| state.accept)
        });
        if let Some(proctype) = accepting {
            let location = proctype.location;
            self.model.liveness.push(LivenessProperty {
                name: "acceptance cycles".to_owned(),
                kind: LivenessKind::Acceptance,
                location,
            });
        }
    }

    pub(super) fn global_initialiser(&mut self, init: &FirstValue) -> Initialiser {
        init.lowered(|ty| {
            let offset = self.global_size;
            self.global_size = grown(offset, self.model.channel_type(ty).size());
            let slot = ChannelSlot { offset, ty };
            self.model.layout.channels.push(slot);
            slot
        })
    }

    /// Initialisers of locals; the contents of local channels lie behind the variables.
    pub(super) fn local_initialisers(
        &mut self,
        inits: &[FirstValue],
    ) -> (Vec<Initialiser>, Vec<ChannelSlot>) {
        let mut channels = Vec::new();
        let lowered = inits.iter().map(|init| {
            init.lowered(|ty| {
                let offset = self.frame_size;
                self.frame_size = grown(offset, self.model.channel_type(ty).size());
                let slot = ChannelSlot { offset, ty };
                channels.push(slot);
                slot
            })
        });
        (lowered.collect(), channels)
    }

    /// Only now is it known how large the block of hidden variables is, and whether frames
    /// have a priority.
    fn settle_offsets(&mut self) {
        let hidden = self.hidden_size;
        let global = |offset: u32| {
            if offset >= HIDDEN {
                offset - HIDDEN
            } else {
                offset + hidden
            }
        };
        let layout = &mut self.model.layout;
        layout.priorities = self.priority_at.is_some();
        layout.number_heads(self.model.proctypes.iter().map(|proctype| {
            match proctype.kind {
                ProcessKind::Proctype | ProcessKind::Init => proctype.states.len(),
                // No process is made of these.
                ProcessKind::Never | ProcessKind::Trace | ProcessKind::NoTrace => 0,
            }
        }));
        layout.hidden = hidden;
        layout.last = self.last.map(global);
        layout.event = layout.event.map(global);
        layout.frames = hidden + self.global_size;
        for slot in &mut layout.channels {
            slot.offset = global(slot.offset);
        }
        let (shift, priority) = (layout.frame_head(), layout.priority());
        let frame = |offset: u32| match offset {
            PRIORITY_PLACE => priority,
            _ => offset + shift,
        };
        for place in &mut self.model.places {
            match place.base {
                Base::Global => place.offset = global(place.offset),
                Base::Frame => place.offset = frame(place.offset),
                Base::Nowhere => {}
            }
        }
        move_all(
            &mut self.model.globals,
            &mut self.model.global_inits,
            global,
        );
        for proctype in &mut self.model.proctypes {
            move_all(&mut proctype.variables, &mut proctype.inits, frame);
            for (offset, _) in &mut proctype.params {
                *offset = frame(*offset);
            }
            for slot in &mut proctype.channels {
                slot.offset = frame(slot.offset);
            }
            proctype.frame_size = frame(proctype.frame_size);
        }
    }

    fn check_sizes(&mut self) {
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let model = &self.model;
        let largest = model.proctypes.iter().max_by_key(|p| p.frame_size);
        let too_large = |bytes: u32| bytes > LARGEST;
        let limit = format!("the limit is {LARGEST} bytes");
        let (states, channels) = (model.layout.heads.len(), model.layout.channels.len());
        let found = if states > usize::from(u16::MAX) {
            Some((
                format!("the model has {states} control states"),
                format!("the limit is {}", u16::MAX),
            ))
        } else if channels > MOST_CHANNELS {
            Some((
                format!("the model has {channels} global channels"),
                format!("the limit is {MOST_CHANNELS}"),
            ))
        } else if too_large(model.layout.frames) {
            let message = "the global variables and channels are too large".to_owned();
            Some((message, limit))
        } else {
            largest.filter(|p| too_large(p.frame_size)).map(|proctype| {
                let message = format!("the variables of `{}` are too large", proctype.name);
                (message, limit)
            })
        };
        if let Some((message, limit)) = found {
            let place = crate::source::Span::default();
            self.diagnostics
                .push(Diagnostic::error(place, message).help(limit));
        }
    }
}

fn move_all(variables: &mut [Variable], inits: &mut [Initialiser], to: impl Fn(u32) -> u32) {
    for variable in variables {
        variable.offset = to(variable.offset);
    }
    for init in inits {
        match init {
            Initialiser::Value { offset, .. } => *offset = to(*offset),
            Initialiser::Channel { offset, slot } => {
                *offset = to(*offset);
                slot.offset = to(slot.offset);
            }
        }
    }
}
