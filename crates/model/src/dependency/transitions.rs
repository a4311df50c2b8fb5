//! What statements and transitions are, as far as the analysis asks.

use space::TransitionId;

use crate::expr::Expr;
use crate::flow::Backwards;
use crate::ids::ExprId;
use crate::model::{
    Action, ControlState, DStepOp, Initialiser, Model, ProcessKind, RecvArg, Transition,
};
use crate::reduction::Footprint;

/// What processes use: by their statements, by the initial values of their variables, and by their
/// `provided` clauses.
pub(super) fn footprints(model: &Model) -> Vec<Footprint> {
    let executed = (model.transitions.iter()).filter(|t| is_executed(model, t));
    let statements = executed.map(|t| Footprint::of_action(model, &t.action));
    let clauses = model.proctypes.iter().flat_map(|proctype| {
        let values = proctype.inits.iter().filter_map(|init| match init {
            Initialiser::Value { value, .. } => Some(*value),
            Initialiser::Channel { .. } => None,
        });
        values.chain(proctype.provided)
    });
    let clauses = clauses.map(|expr| Footprint::of_expr(model, expr));
    statements.chain(clauses).collect()
}

/// The statements that one is made of: those of a `d_step`, or itself.
pub(super) fn statements<'a>(model: &'a Model, action: &'a Action) -> Vec<&'a Action> {
    let Action::DStep(row) = action else {
        return vec![action];
    };
    let dstep = &model.dsteps[*row as usize];
    let ops = dstep.ops.iter().filter_map(|op| match op {
        DStepOp::Do { action, .. } => Some(action),
        _ => None,
    });
    let actions = dstep.guards.iter().chain(ops);
    actions
        .flat_map(|action| statements(model, action))
        .collect()
}

/// The expressions of a statement that may look at processes.
pub(super) fn exprs(model: &Model, action: &Action) -> Vec<ExprId> {
    let of_one = |action: &Action| match action {
        Action::Guard(expr) | Action::Assert(expr, _) | Action::Assign(_, expr) => vec![*expr],
        Action::Run(spec, _, expr) => spec.args.iter().copied().chain([*expr]).collect(),
        Action::Send { args, .. } => args.clone(),
        Action::Receive { args, .. } => (args.iter())
            .filter_map(|arg| match arg {
                RecvArg::Match(expr) => Some(*expr),
                RecvArg::Store(_) => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let parts = statements(model, action).into_iter();
    parts.flat_map(of_one).collect()
}

/// The proctypes of which a statement starts processes.
pub(super) fn started<'a>(model: &'a Model, action: &'a Action) -> impl Iterator<Item = usize> {
    let parts = statements(model, action).into_iter();
    parts.filter_map(|action| match action {
        Action::Run(spec, ..) => Some(spec.proctype.index()),
        _ => None,
    })
}

/// Whether a statement looks at `timeout`.
pub(super) fn has_timeout(model: &Model, action: &Action) -> bool {
    let is_timeout = |expr: &Expr| *expr == Expr::Timeout;
    (exprs(model, action).iter()).any(|&expr| model.any_part(expr, is_timeout))
}

/// For each transition whether it is marked, or the atomic sequence that it begins has one that
/// is. A message that is offered inside the sequence may be taken by any marked receive, of a process
/// that could not move before: where the sequence begins with an offer, its receiver can.
pub(super) fn with_continuations(model: &Model, marked: &[bool]) -> Vec<bool> {
    let may_be_taken = |found: &[bool]| {
        let mut pairs = model.transitions.iter().zip(found);
        model.has_handshakes()
            && pairs.any(|(transition, found)| *found && may_receive(model, &transition.action))
    };
    let alone = continuations(model, marked, false);
    match may_be_taken(&alone) {
        true => continuations(model, marked, true),
        false => alone,
    }
}

/// The same, where sends inside a sequence are marked or not.
pub(super) fn continuations(model: &Model, marked: &[bool], sends: bool) -> Vec<bool> {
    let is_marked = |row: TransitionId| {
        let is_send = || matches!(model.transition(row).action, Action::Send { .. });
        marked[row.0 as usize] || sends && is_send()
    };
    let mut found = marked.to_vec();
    // Where the options or the sequence that they begin have a marked one.
    let near: Vec<Vec<bool>> = (model.proctypes.iter())
        .map(|proctype| {
            let states = proctype.states.iter();
            let has_marked = |state: &ControlState| {
                let mut options = state.options.iter();
                options.any(|option| is_marked(option.transition))
            };
            let mut near: Vec<bool> = states.map(has_marked).collect();
            let backwards = Backwards::new(model, &proctype.states);
            backwards.close(&mut near, |row| model.transition(row).atomic);
            near
        })
        .collect();
    for (found, transition) in found.iter_mut().zip(&model.transitions) {
        let near = near[transition.proctype.index()].get(transition.target.index());
        *found |= transition.atomic && near == Some(&true);
    }
    found
}

/// Whether a statement may put a message before others.
pub(super) fn sorts(transition: &Transition) -> bool {
    matches!(
        transition.action,
        Action::Send { sorted: true, .. } | Action::DStep(_)
    )
}

/// Whether a statement receives, or may begin by it.
pub(super) fn may_receive(model: &Model, action: &Action) -> bool {
    match action {
        Action::Receive { .. } => true,
        Action::DStep(row) => {
            let guards = &model.dsteps[*row as usize].guards;
            guards.iter().any(|guard| may_receive(model, guard))
        }
        _ => false,
    }
}

/// Whether a transition belongs to processes, and not to a claim.
pub(super) fn is_executed(model: &Model, transition: &Transition) -> bool {
    let kind = model.proctype(transition.proctype).kind;
    matches!(kind, ProcessKind::Proctype | ProcessKind::Init)
}
