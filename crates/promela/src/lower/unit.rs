//! Top-level units: global variables, proctypes, init, claims, traces, formulas.

use std::collections::HashMap;

use model::{
    ChannelClaim, LivenessKind, LivenessProperty, ProcessKind, Proctype, ProctypeId, Start,
};

use super::flow::Flow;
use super::local::Locals;
use super::types::{Symbol, Ty};
use super::{Body, HIDDEN, Lowerer, grown};
use crate::ast::{self, Block, Decl, Expr, ExprKind, Program, Unit, Visibility};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// What a body belongs to.
struct Head<'a> {
    id: ProctypeId,
    params: &'a [Decl],
    provided: Option<&'a Expr>,
    claim: bool,
}

impl Lowerer<'_> {
    /// Number everything that has a body, in the order of the text.
    pub(super) fn name_proctypes(&mut self, program: &Program) {
        let mut first: HashMap<String, Span> = HashMap::new();
        for unit in &program.units {
            let (name, kind, span, deterministic) = match unit {
                Unit::Proctype(p) => (
                    p.name.name.clone(),
                    ProcessKind::Proctype,
                    p.name.span,
                    p.deterministic,
                ),
                Unit::Init(init) => (":init:".to_owned(), ProcessKind::Init, init.span, false),
                Unit::Never(claim) => {
                    let name = claim.name.as_ref().map_or("never", |n| n.name.as_str());
                    (name.to_owned(), ProcessKind::Never, claim.span, false)
                }
                Unit::Trace(trace) if trace.negated => (
                    ":notrace:".to_owned(),
                    ProcessKind::NoTrace,
                    trace.span,
                    false,
                ),
                Unit::Trace(trace) => (":trace:".to_owned(), ProcessKind::Trace, trace.span, false),
                _ => continue,
            };
            let id = ProctypeId(self.model.proctypes.len() as u32);
            if let Some(earlier) = first.get(&name) {
                self.diagnostics.push(
                    Diagnostic::error(span, format!("`{name}` is defined twice"))
                        .note(*earlier, "first defined here"),
                );
            } else {
                self.proctype_ids.insert(name.clone(), id);
                first.insert(name.clone(), span);
            }
            if id.0 == 255 {
                self.error_at(span, "more than 255 proctypes");
            }
            self.model.proctypes.push(Proctype {
                name,
                kind,
                location: self.locate(span),
                variables: Vec::new(),
                params: Vec::new(),
                inits: Vec::new(),
                channels: Vec::new(),
                frame_size: 0,
                provided: None,
                deterministic,
                claims: Vec::new(),
                states: Vec::new(),
                initial: model::ControlId(0),
                labels: Vec::new(),
            });
        }
    }

    pub(super) fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Decl(decl) => self.global_decl(decl),
            Unit::Mtype(decl) => self.declare_mtypes(decl),
            Unit::Typedef(typedef) => self.declare_typedef(typedef),
            Unit::Proctype(proctype) => self.proctype(proctype),
            Unit::Init(init) => self.init(init),
            Unit::Never(claim) => {
                let id = self.next_body();
                let property = LivenessProperty {
                    name: self.model.proctype(id).name.clone(),
                    kind: LivenessKind::Never(id),
                    location: self.locate(claim.span),
                };
                self.model.liveness.push(property);
                self.body_of(
                    &Head {
                        id,
                        params: &[],
                        provided: None,
                        claim: true,
                    },
                    &claim.body,
                );
            }
            Unit::Trace(trace) => self.event_trace(trace),
            Unit::EmbeddedC(c) => self.embedded_c(c),
            Unit::Ltl(_) | Unit::Inline(_) => {}
        }
    }

    fn event_trace(&mut self, trace: &ast::EventTrace) {
        let id = self.next_body();
        if self.model.event_trace.is_some() {
            self.error_at(trace.span, "a model can have only one trace or notrace");
        }
        self.in_trace = true;
        self.body_of(
            &Head {
                id,
                params: &[],
                provided: None,
                claim: true,
            },
            &trace.body,
        );
        self.in_trace = false;
        let flow = &self.bodies[id.index()].flow;
        let stop = flow
            .elements
            .iter()
            .find(|element| matches!(element.node, super::flow::Node::Stop));
        let end = model::ControlId(stop.map_or(0, |element| element.number));
        self.model.layout.event = Some(self.global_size);
        self.global_size += 2;
        self.model.event_trace = Some(model::EventTrace {
            proctype: id,
            negated: trace.negated,
            end,
            events: std::mem::take(&mut self.events),
            location: self.locate(trace.span),
        });
    }

    /// Bodies are numbered in the order of the text, so the next one is known.
    fn next_body(&self) -> ProctypeId {
        ProctypeId(self.bodies.len() as u32)
    }

    fn global_decl(&mut self, decl: &Decl) {
        for var in &decl.vars {
            if let Some(&row) = self.global_names.get(&var.name.name) {
                let first = self.globals[row].span;
                self.diagnostics.push(
                    Diagnostic::error(
                        var.name.span,
                        format!("`{}` is declared twice", var.name.name),
                    )
                    .note(first, "first declared here"),
                );
                continue;
            }
            if self.mtype_values.contains_key(&var.name.name) {
                self.error(
                    &var.name,
                    format!(
                        "`{}` is already the name of an mtype constant",
                        var.name.name
                    ),
                );
                continue;
            }
            let Some(mut symbol) = self.symbol(decl, var, false) else {
                continue;
            };
            let size = self.size_of(&symbol);
            if decl.visibility == Some(Visibility::Hidden) {
                symbol.offset = HIDDEN + self.hidden_size;
                self.hidden_size = grown(self.hidden_size, size);
            } else {
                symbol.offset = self.global_size;
                self.global_size = grown(self.global_size, size);
            }
            // Nobody who looks the variable up needs them any more.
            for init in std::mem::take(&mut symbol.inits) {
                let init = self.global_initialiser(&init.shifted(symbol.offset));
                self.model.global_inits.push(init);
            }
            self.global_names
                .insert(symbol.name.clone(), self.globals.len());
            self.globals.push(symbol);
        }
    }

    fn proctype(&mut self, proctype: &ast::Proctype) {
        let id = self.next_body();
        let priority = self.priority(proctype.priority.as_ref());
        let count = match &proctype.active {
            None => 0,
            Some(active) => match &active.count {
                None => 1,
                Some(count) => self.instances(count),
            },
        };
        for _ in 0..count {
            self.model.starts.push(Start {
                proctype: id,
                priority,
            });
        }
        self.body_of(
            &Head {
                id,
                params: &proctype.params,
                provided: proctype.provided.as_ref(),
                claim: false,
            },
            &proctype.body,
        );
    }

    fn instances(&mut self, count: &Expr) -> usize {
        match self.constant(count).or_else(|| self.named_count(count)) {
            Some(n @ 0..=255) => n as usize,
            Some(n) => {
                let diagnostic = match n {
                    ..0 => Diagnostic::error(count.span, "the number of processes is negative"),
                    _ => Diagnostic::error(count.span, format!("too many processes: {n}"))
                        .label("the limit is 255"),
                };
                self.diagnostics
                    .push(diagnostic.help("a model can have at most 255 processes at a time"));
                1
            }
            None => {
                self.error_at(count.span, "the number of processes must be a constant");
                1
            }
        }
    }

    fn named_count(&self, count: &Expr) -> Option<i32> {
        let ExprKind::Var(var) = &count.kind else {
            return None;
        };
        let (_, symbol) = self.lookup(&var.parts[0].name.name)?;
        symbol.constant
    }

    fn init(&mut self, init: &ast::Init) {
        let id = self.next_body();
        let priority = self.priority(init.priority.as_ref());
        self.model.starts.push(Start {
            proctype: id,
            priority,
        });
        self.body_of(
            &Head {
                id,
                params: &[],
                provided: None,
                claim: false,
            },
            &init.body,
        );
    }

    fn body_of(&mut self, head: &Head<'_>, block: &Block) {
        self.flow = Flow::new();
        self.scope.clear();
        self.next_scope = 0;
        self.locals = Locals::default();
        self.local_inits.clear();
        self.frame_size = 0;
        self.flow_gotos.clear();
        self.claims.clear();
        self.in_claim = head.claim;
        // Only globals and the process's own number may decide whether it can move.
        let provided = head.provided.map(|expr| self.expr(expr));
        self.params(head);
        self.body(block);
        self.check_gotos();
        self.resolve_late_variables(head.id);
        let variables: Vec<_> = self.locals.iter().map(|(_, s)| self.variable(s)).collect();
        let inits = std::mem::take(&mut self.local_inits);
        let (inits, channels) = self.local_initialisers(&inits);
        let proctype = &mut self.model.proctypes[head.id.index()];
        proctype.variables = variables;
        proctype.inits = inits;
        proctype.channels = channels;
        proctype.frame_size = self.frame_size;
        proctype.provided = provided;
        proctype.claims = std::mem::take(&mut self.claims);
        self.bodies.push(Body {
            proctype: head.id,
            flow: std::mem::take(&mut self.flow),
            claim: head.claim,
            locals: std::mem::take(&mut self.locals),
        });
        self.in_claim = false;
    }

    fn params(&mut self, head: &Head<'_>) {
        for decl in head.params {
            for var in &decl.vars {
                if var.init.is_some() {
                    self.error(&var.name, "a parameter cannot have an initialiser");
                    continue;
                }
                if let Some((_, known)) = self.lookup(&var.name.name) {
                    self.diagnostics.push(
                        Diagnostic::error(
                            var.name.span,
                            format!("`{}` is declared twice", var.name.name),
                        )
                        .note(known.span, "first declared here")
                        .help("a parameter cannot have the name of a global variable"),
                    );
                    continue;
                }
                if var.size.is_some() {
                    self.diagnostics.push(
                        Diagnostic::error(var.span, "an array cannot be a parameter")
                            .help("pass its elements one by one, or keep the array global"),
                    );
                    continue;
                }
                if let Some(symbol) = self.symbol(decl, var, false) {
                    self.param(head.id, symbol);
                }
            }
        }
    }

    fn param(&mut self, id: ProctypeId, symbol: Symbol) {
        let offset = self.frame_size;
        let scalars = match symbol.ty {
            Ty::Scalar(scalar, _) => vec![(offset, scalar)],
            Ty::Struct(definition) => self
                .scalars_of(definition)
                .into_iter()
                .map(|(at, scalar, _)| (offset + at, scalar))
                .collect(),
        };
        self.model.proctypes[id.index()].params.extend(scalars);
        self.declare_local(symbol, true);
    }

    fn check_gotos(&mut self) {
        for (label, scope) in std::mem::take(&mut self.flow_gotos) {
            space::cancel::poll();
            if self.flow.find_label(&label.name, &scope).is_some() {
                continue;
            }
            let message = format!("there is no label `{}`", label.name);
            let known: Vec<&str> = self.flow.labels.iter().map(|l| l.name.as_str()).collect();
            let is_similar = |known: &&&str| super::is_similar(known, &label.name);
            let is_told = self.diagnostics.len() <= super::MOST_ADVICE;
            let help = match known.iter().find(is_similar).filter(|_| is_told) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => "a goto cannot leave its proctype".to_owned(),
            };
            self.diagnostics
                .push(Diagnostic::error(label.span, message).help(help));
        }
    }

    pub(super) fn channel_claim(&mut self, claim: &ast::Exclusive) {
        for channel in &claim.channels {
            let Some(place) = self.channel_place(channel) else {
                continue;
            };
            let location = self.locate(claim.span);
            self.claims.push(ChannelClaim {
                channel: place,
                receive: claim.receive,
                location,
            });
        }
    }
}
