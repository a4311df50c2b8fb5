//! Statements that Spin's verifier merges with the one before them.
//!
//! Unless it is told not to (`spin -o3`), the verifier executes a statement together with
//! those behind it that cannot block and that no other process can tell apart from it, and
//! its trail has one record for all of them.
//!
//! Follows: Spin's rules for which statements are merged, as far as the model shows what
//! they depend on. Where the trail says what the process does next, that decides.

use model::{Action, Base, ControlId, Expr, ExprId, Model, PlaceId, Transition};
use space::TransitionId;

/// Longer chains than this are not looked for.
const LONGEST: usize = 10_000;

/// What a trail says about a process behind a recorded statement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// The next statement of the process that is recorded.
    Recorded(TransitionId),
    /// The process does nothing more, but others do.
    Nothing,
    /// The trail ends with this statement.
    TrailEnds,
}

/// The statements that were executed together with a recorded one.
pub(super) fn followers(
    model: &Model,
    recorded: TransitionId,
    inside_atomic: bool,
    next: Next,
) -> Vec<TransitionId> {
    if let Next::Recorded(next) = next
        && let Some(chain) = chain_to(model, recorded, next)
    {
        return chain;
    }
    let first = model.transition(recorded);
    let last = matches!(next, Next::TrailEnds);
    if !can_lead(model, first, inside_atomic || last) {
        return Vec::new();
    }
    let mut chain = Vec::new();
    let mut at = recorded;
    while chain.len() < LONGEST {
        let before = model.transition(at);
        let Some(follower) = only_option(model, before) else {
            break;
        };
        if chain.contains(&follower) || !can_follow(model, follower, before.atomic) {
            break;
        }
        chain.push(follower);
        at = follower;
    }
    chain
}

/// The statements between a recorded one and the next recorded one of the same process, if
/// there is but one way.
fn chain_to(
    model: &Model,
    recorded: TransitionId,
    next: TransitionId,
) -> Option<Vec<TransitionId>> {
    let mut chain = Vec::new();
    let mut at = recorded;
    for _ in 0..LONGEST {
        let transition = model.transition(at);
        if options(model, transition).contains(&next) {
            return Some(chain);
        }
        let follower = only_option(model, transition)?;
        if chain.contains(&follower) || !never_blocks(&model.transition(follower).action) {
            return None;
        }
        chain.push(follower);
        at = follower;
    }
    None
}

/// What a process can do behind a transition.
fn options(model: &Model, transition: &Transition) -> Vec<TransitionId> {
    let states = &model.proctype(transition.proctype).states;
    let options = &states[transition.target.index()].options;
    options.iter().map(|option| option.transition).collect()
}

fn only_option(model: &Model, transition: &Transition) -> Option<TransitionId> {
    match options(model, transition)[..] {
        [only] => Some(only),
        _ => None,
    }
}

fn never_blocks(action: &Action) -> bool {
    matches!(
        action,
        Action::Assign(..)
            | Action::Run(_, Some(_), _)
            | Action::Assert(..)
            | Action::Printf(..)
            | Action::Printm(..)
            | Action::Skip
    )
}

/// Whether others may be merged with a statement in front of them.
fn can_lead(model: &Model, transition: &Transition, anyhow: bool) -> bool {
    let kind = match &transition.action {
        // A rendezvous send gives up the control of an atomic sequence, so in a model with
        // rendezvous channels no send leads.
        Action::Send { .. } => model.channel_types.iter().all(|ty| ty.capacity > 0),
        Action::Guard(_) | Action::Receive { .. } => true,
        action => never_blocks(action),
    };
    kind && !has_escape(model, transition)
        && (anyhow || transition.atomic || is_local(model, &transition.action))
}

/// Whether a statement may be merged with the one before it.
fn can_follow(model: &Model, id: TransitionId, inside_atomic: bool) -> bool {
    let transition = model.transition(id);
    let proctype = model.proctype(transition.proctype);
    let labelled = proctype
        .labels
        .iter()
        .any(|(_, control)| *control == transition.control);
    // A `skip` is a condition for Spin, a jump is not.
    let waits = transition.action == Action::Skip && !is_jump(&transition.text);
    never_blocks(&transition.action)
        && !waits
        && !labelled
        && !has_escape(model, transition)
        && (inside_atomic || transition.atomic || is_local(model, &transition.action))
}

fn is_jump(text: &str) -> bool {
    text.starts_with("goto") || text == "break" || text == "join"
}

fn has_escape(model: &Model, transition: &Transition) -> bool {
    let states = &model.proctype(transition.proctype).states;
    let options = &states[transition.control.index()].options;
    options.iter().any(|option| option.escape != ControlId(0))
}

/// Whether a statement touches nothing but the variables of its process.
fn is_local(model: &Model, action: &Action) -> bool {
    let mut places: Vec<PlaceId> = Vec::new();
    let mut exprs: Vec<ExprId> = Vec::new();
    match action {
        Action::Skip => {}
        Action::Guard(expr) | Action::Assert(expr, _) | Action::Printm(expr, _) => {
            exprs.push(*expr);
        }
        Action::Assign(place, expr) => {
            places.push(*place);
            exprs.push(*expr);
        }
        Action::Printf(_, args) => exprs.extend(args.iter().map(|(expr, _)| *expr)),
        _ => return false,
    }
    loop {
        while let Some(place) = places.pop() {
            let place = model.place(place);
            if place.base == Base::Global {
                return false;
            }
            exprs.extend(place.indices.iter().map(|index| index.expr));
        }
        let Some(expr) = exprs.pop() else {
            return true;
        };
        match model.expr(expr) {
            Expr::Const(_) | Expr::Pid | Expr::OwnPriority => {}
            Expr::Load(place) => places.push(*place),
            Expr::Unary(_, a) => exprs.push(*a),
            Expr::Binary(_, a, b) => exprs.extend([*a, *b]),
            Expr::Cond(c, a, b) => exprs.extend([*c, *a, *b]),
            _ => return false,
        }
    }
}
