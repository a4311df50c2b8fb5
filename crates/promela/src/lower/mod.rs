//! From the tree to the [`Model`]: names and types are resolved, statements become
//! transitions, variables get their places.
//!
//! Units are read in the order of the text, since a name must be declared before it is used;
//! formulas come last, since they may speak of what is declared behind them.

mod automaton;
mod body;
mod call;
mod dstep;
mod event;
mod expr;
mod finish;
mod flow;
mod formula;
mod label;
mod local;
mod loops;
mod remote;
mod run;
mod statement;
mod types;
mod unit;

use std::collections::{HashMap, HashSet};

use model::{Base, CallId, ExprId, Location, Model, ProctypeId};

use crate::ast::{self, Ident, Program};
use crate::diagnostic::Diagnostic;
use crate::source::{ExpansionId, SourceMap, Span};
use flow::{Flow, SequenceId};
use label::ScopePath;
use local::Locals;
use remote::{LateVariable, RemoteLabel};
use types::{FirstValue, Struct, StructId, Symbol};

/// The expression 0, the first row of every model's expressions.
const FALSE: ExprId = ExprId(0);
/// Names of variables made here start with this, which no identifier can.
const SYNTHETIC: &str = "#";
/// Stands for the offset of the priority in a frame until it is known.
const PRIORITY_PLACE: u32 = u32::MAX;
/// Added to the offsets of hidden variables until the size of their block is known.
const HIDDEN: u32 = 1 << 30;
/// Behind so many errors nobody is told which name may have been meant: all names are looked at.
const MOST_ADVICE: usize = 100;

/// A body that is waiting to become an automaton.
struct Body {
    proctype: ProctypeId,
    flow: Flow,
    claim: bool,
    locals: Locals,
}

/// The state of the lowering.
struct Lowerer<'a> {
    sources: &'a SourceMap,
    model: Model,
    diagnostics: Vec<Diagnostic>,

    mtype_values: HashMap<String, (u32, i32)>,
    struct_names: HashMap<String, StructId>,
    structs: Vec<Struct>,
    globals: Vec<Symbol>,
    global_names: HashMap<String, usize>,
    /// Names whose declarations were refused: their uses are not to blame.
    undeclarable: HashSet<String>,
    global_size: u32,
    hidden_size: u32,
    last: Option<u32>,
    proctype_ids: HashMap<String, ProctypeId>,
    next_unique: u32,

    /// The calls of inlines that expansions lie in.
    calls: HashMap<ExpansionId, CallId>,
    bodies: Vec<Body>,
    remote_labels: Vec<RemoteLabel>,
    /// `run` statements with the number of their arguments.
    runs: Vec<(Span, ProctypeId, usize)>,
    /// Send statements with the number of their fields.
    sends: Vec<(Span, usize)>,
    /// The first use of `enabled`.
    enabled_at: Option<Span>,
    /// The first rendezvous channel.
    rendezvous_at: Option<Span>,
    /// The first use of priorities.
    priority_at: Option<Span>,

    // The body being read.
    flow: Flow,
    sequences: Vec<SequenceId>,
    scope: ScopePath,
    next_scope: u32,
    locals: Locals,
    local_inits: Vec<FirstValue>,
    frame_size: u32,
    at_head: bool,
    loops: Vec<u32>,
    flow_gotos: Vec<(Ident, ScopePath)>,
    late_variables: Vec<LateVariable>,
    claims: Vec<model::ChannelClaim>,
    in_claim: bool,
    in_trace: bool,
    /// Events of the trace.
    events: Vec<model::Event>,
    /// The `run` that is being taken out of its expression.
    run_result: Option<Span>,
}

/// Lower a tree. Without errors among the diagnostics, the model is complete.
pub fn lower(program: &Program, sources: &SourceMap) -> (Model, Vec<Diagnostic>) {
    let mut lowerer = Lowerer::new(sources);
    lowerer.name_proctypes(program);
    for unit in &program.units {
        space::cancel::poll();
        lowerer.unit(unit);
    }
    for unit in &program.units {
        if let ast::Unit::Ltl(ltl) = unit {
            lowerer.ltl(ltl);
        }
    }
    lowerer.finish(program)
}

impl<'a> Lowerer<'a> {
    fn new(sources: &'a SourceMap) -> Lowerer<'a> {
        let mut model = Model {
            files: sources.files().map(|(_, file)| file.name.clone()).collect(),
            ..Model::default()
        };
        model.exprs.push(model::Expr::Const(0));
        Lowerer {
            sources,
            model,
            diagnostics: Vec::new(),
            mtype_values: HashMap::new(),
            struct_names: HashMap::new(),
            structs: Vec::new(),
            globals: Vec::new(),
            global_names: HashMap::new(),
            undeclarable: HashSet::new(),
            global_size: 0,
            hidden_size: 0,
            last: None,
            proctype_ids: HashMap::new(),
            next_unique: 0,
            calls: HashMap::new(),
            bodies: Vec::new(),
            remote_labels: Vec::new(),
            runs: Vec::new(),
            sends: Vec::new(),
            enabled_at: None,
            rendezvous_at: None,
            priority_at: None,
            flow: Flow::new(),
            sequences: Vec::new(),
            scope: Vec::new(),
            next_scope: 0,
            locals: Locals::default(),
            local_inits: Vec::new(),
            frame_size: 0,
            at_head: false,
            loops: Vec::new(),
            flow_gotos: Vec::new(),
            late_variables: Vec::new(),
            claims: Vec::new(),
            in_claim: false,
            in_trace: false,
            events: Vec::new(),
            run_result: None,
        }
    }

    fn error(&mut self, at: &Ident, message: impl Into<String>) {
        self.error_at(at.span, message);
    }

    fn error_at(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn undeclared(&mut self, name: &Ident) {
        if self.undeclarable.contains(&name.name) {
            return;
        }
        let mut diagnostic =
            Diagnostic::error(name.span, format!("`{}` is not declared", name.name));
        diagnostic = match self.similar_name(&name.name) {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
            None => diagnostic.help("declare it before its use"),
        };
        self.diagnostics.push(diagnostic);
    }

    fn undeclared_proctype(&mut self, name: &Ident) {
        let mut known: Vec<&String> = self.proctype_ids.keys().collect();
        known.sort();
        let help = match known.iter().find(|known| is_similar(known, &name.name)) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "run needs a proctype of this model".to_owned(),
        };
        let message = format!("there is no proctype `{}`", name.name);
        self.diagnostics
            .push(Diagnostic::error(name.span, message).help(help));
    }

    fn similar_name(&self, name: &str) -> Option<String> {
        if self.diagnostics.len() > MOST_ADVICE {
            return None;
        }
        let locals = self.locals.iter().map(|(_, symbol)| &symbol.name);
        let globals = self.globals.iter().map(|symbol| &symbol.name);
        let mut mtypes: Vec<&String> = self.mtype_values.keys().collect();
        mtypes.sort();
        locals
            .chain(globals)
            .chain(mtypes)
            .find(|known| is_similar(known, name))
            .cloned()
    }

    fn embedded_c(&mut self, c: &ast::EmbeddedC) {
        self.diagnostics.push(
            Diagnostic::error(
                c.span,
                format!("embedded C ({}) is not supported yet", c.keyword),
            )
            .help("only models without embedded C can be checked"),
        );
    }

    fn enter_scope(&mut self) {
        self.next_scope += 1;
        self.scope.push(self.next_scope);
    }

    fn leave_scope(&mut self) {
        self.scope.pop();
    }

    /// The variable a name means here.
    fn lookup(&self, name: &str) -> Option<(Base, Symbol)> {
        let mut named = self.locals.named(name).rev();
        if let Some((_, symbol)) = named.find(|(scope, _)| self.scope.starts_with(scope)) {
            return Some((Base::Frame, symbol.clone()));
        }
        let row = self.global_names.get(name)?;
        Some((Base::Global, self.globals[*row].clone()))
    }

    /// The offset of `_last`, which is part of the state once it is mentioned.
    fn last_offset(&mut self) -> u32 {
        if let Some(offset) = self.last {
            return offset;
        }
        let offset = self.global_size;
        self.global_size += 1;
        self.last = Some(offset);
        offset
    }

    fn locate(&self, span: Span) -> Location {
        let location = self.sources.location(span);
        Location {
            file: model::FileId(span.file.0),
            line: location.line,
            column: location.column,
        }
    }

    /// The text of a span on one line.
    fn text(&self, span: Span) -> String {
        self.sources.line_text(span)
    }
}

/// A size with more behind it. It stays in the range of offsets, above what a model may have.
fn grown(size: u32, by: u32) -> u32 {
    size.saturating_add(by).min(HIDDEN - 1)
}

/// Whether two names differ by one letter, or by two that changed places.
fn is_similar(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a.len() < 3 || a == b {
        return false;
    }
    let same_front = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let same_back = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let swapped = a.len() == b.len()
        && same_front + same_back + 2 == a.len()
        && a[same_front] == b[same_front + 1]
        && a[same_front + 1] == b[same_front];
    swapped || same_front + same_back + 1 >= a.len().max(b.len())
}

#[cfg(test)]
mod tests {
    use super::is_similar;

    #[test]
    fn names_are_similar_up_to_one_letter() {
        assert!(is_similar("count", "cont"));
        assert!(is_similar("count", "coumt"));
        assert!(is_similar("count", "coutn"));
        assert!(!is_similar("count", "count"));
        assert!(!is_similar("a", "b"));
    }
}
