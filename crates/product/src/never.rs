//! Claims written as `never { ... }`.
//!
//! A claim that reaches its closing brace has matched the execution so far: that is a
//! violation, and so is an assertion in the claim that fails. A state of the claim is
//! accepting if it has a label that begins with `accept`. In an atomic sequence the claim
//! takes all its steps before the model moves.

use std::ops::Range;

use model::{Action, Condition, ControlId, Expr, Interp, Model, ProctypeId, Sight, Touched};
use relation::Label;
use space::{SiteId, Violation, ViolationKind};

use crate::{Claim, ClaimMove, Moves};

/// A `never` claim of a model.
pub struct NeverClaim<'m> {
    interp: Interp<'m>,
    initial: ControlId,
    /// By control state.
    states: Vec<State>,
    /// The options of all states.
    options: Vec<Choice>,
    sees_timeout: bool,
    /// Whether no accepting state and another one reach each other.
    is_weak: bool,
    /// Where an atomic sequence goes on: the control state, and the claim's violation so far.
    pending: Vec<(ControlId, Option<Violation>)>,
}

/// A control state of a claim.
#[derive(Debug)]
struct State {
    /// Its options.
    options: Range<usize>,
    accepts: bool,
    /// Whether a claim that is there has come to its closing brace, or is gone.
    is_end: bool,
    /// Whether the interpreter is asked about options.
    asks: bool,
}

/// An option of a control state.
#[derive(Debug)]
struct Choice {
    test: Test,
    target: ControlId,
    edge: u32,
    /// The claim moves on before the model does.
    goes_on: bool,
}

/// When an option is open.
#[derive(Debug)]
enum Test {
    Guard(Condition),
    Assert(Condition, SiteId),
    Else,
    /// Once all processes are gone, so is the claim, as with Spin.
    End,
}

impl Test {
    fn new(model: &Model, action: &Action) -> Test {
        match action {
            Action::Guard(expr) => Test::Guard(Condition::new(model, *expr)),
            Action::Assert(expr, site) => Test::Assert(Condition::new(model, *expr), *site),
            Action::Else => Test::Else,
            Action::End => Test::End,
            _ => Test::Guard(Condition::Const(true)),
        }
    }

    fn asks(&self) -> bool {
        match self {
            Test::Guard(condition) | Test::Assert(condition, _) => condition.asks(),
            Test::Else => false,
            Test::End => true,
        }
    }
}

impl<'m> NeverClaim<'m> {
    /// The claim that is this proctype of the model.
    pub fn new(model: &'m Model, claim: ProctypeId) -> NeverClaim<'m> {
        let mut options = Vec::new();
        let proctype = model.proctype(claim);
        let states = (proctype.states.iter().enumerate()).map(|(number, state)| {
            let first = options.len();
            options.extend(state.options.iter().map(|option| {
                let transition = model.transition(option.transition);
                Choice {
                    test: Test::new(model, &transition.action),
                    target: transition.target,
                    edge: option.transition.0,
                    goes_on: transition.atomic && !is_end(model, claim, transition.target),
                }
            }));
            State {
                options: first..options.len(),
                accepts: state.accept,
                is_end: is_end(model, claim, ControlId(number as u32)),
                asks: options[first..].iter().any(|option| option.test.asks()),
            }
        });
        let states: Vec<State> = states.collect();
        NeverClaim {
            is_weak: is_weak(&states, &options),
            states,
            options,
            initial: proctype.initial,
            sees_timeout: sees_timeout(model, claim),
            interp: Interp::new(model),
            pending: Vec::new(),
        }
    }

    /// Whether it has accepting states.
    pub fn accepts(&self) -> bool {
        self.states.iter().any(|state| state.accepts)
    }

    /// Try the options of a control state.
    fn options(
        &mut self,
        from: ControlId,
        before: Option<Violation>,
        sets: u32,
        vector: &[u8],
        sight: Sight,
        moves: &mut Moves,
    ) {
        let state = &self.states[from.index()];
        if state.asks {
            self.interp.load(vector);
        }
        let interp = &self.interp;
        let mut moved = false;
        for option in &self.options[state.options.clone()] {
            let mut violation = before;
            let enabled = match &option.test {
                Test::Guard(condition) => match condition.holds(interp, vector, sight) {
                    Ok(holds) => holds,
                    Err(fault) => {
                        violation = violation.or(Some(fault));
                        true
                    }
                },
                Test::Assert(condition, site) => {
                    let holds = condition.holds(interp, vector, sight);
                    violation = violation.or(failed(holds, *site));
                    true
                }
                Test::Else => !moved,
                Test::End => interp.process_count() == 0,
            };
            if !enabled {
                continue;
            }
            moved = true;
            if option.goes_on {
                self.pending.push((option.target, violation));
                continue;
            }
            moves.list.push(ClaimMove {
                target: option.target.0,
                edge: option.edge,
                sets,
                violation,
            });
        }
    }
}

/// Whether no accepting state and another one reach each other.
fn is_weak(states: &[State], options: &[Choice]) -> bool {
    let reached = |from: usize| {
        let mut reached = vec![false; states.len()];
        let mut todo = vec![from];
        while let Some(state) = todo.pop() {
            for option in &options[states[state].options.clone()] {
                let target = option.target.index();
                if !std::mem::replace(&mut reached[target], true) {
                    todo.push(target);
                }
            }
        }
        reached
    };
    let reached: Vec<Vec<bool>> = (0..states.len()).map(reached).collect();
    let mut pairs = (0..states.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.all(|(a, b)| {
        let together = reached[a][b] && reached[b][a];
        !together || states[a].accepts == states[b].accepts
    })
}

/// What an assertion of a claim comes to.
fn failed(holds: Result<bool, Violation>, site: SiteId) -> Option<Violation> {
    match holds {
        Ok(false) => Some(Violation {
            kind: ViolationKind::Assertion,
            site: Some(site),
        }),
        Ok(true) => None,
        Err(fault) => Some(fault),
    }
}

fn sees_timeout(model: &Model, claim: ProctypeId) -> bool {
    let mut own = model.transitions.iter().filter(|t| t.proctype == claim);
    own.any(|transition| match transition.action {
        Action::Guard(expr) | Action::Assert(expr, _) => {
            model.any_part(expr, |part| *part == Expr::Timeout)
        }
        _ => false,
    })
}

/// Whether a claim that is there has come to its closing brace, or is gone.
fn is_end(model: &Model, claim: ProctypeId, control: ControlId) -> bool {
    if control == ControlId(0) {
        return true;
    }
    let options = &model.proctype(claim).states[control.index()].options;
    let mut actions = options
        .iter()
        .map(|o| &model.transition(o.transition).action);
    actions.any(|action| *action == Action::End)
}

impl Claim for NeverClaim<'_> {
    fn state_count(&self) -> u32 {
        self.states.len() as u32
    }

    fn initial(&self) -> u32 {
        self.initial.0
    }

    fn sets(&self) -> u32 {
        1
    }

    #[inline]
    fn ended(&self, state: u32) -> Option<Violation> {
        let is_end = self.states[state as usize].is_end;
        is_end.then(|| ViolationKind::Claim.into())
    }

    fn on_states(&self) -> bool {
        true
    }

    fn is_weak(&self) -> bool {
        self.is_weak
    }

    fn cycle_kind(&self) -> ViolationKind {
        ViolationKind::AcceptanceCycle
    }

    fn sees_timeout(&self) -> bool {
        self.sees_timeout
    }

    fn waits_for_timeout(&mut self, vector: &[u8]) -> bool {
        self.interp.waits_for_timeout(vector)
    }

    fn moves(&mut self, state: u32, vector: &[u8], sight: Sight, moves: &mut Moves) {
        let control = ControlId(state);
        let sets = u32::from(self.states[control.index()].accepts);
        self.pending.clear();
        self.options(control, None, sets, vector, sight, moves);
        let mut steps = 0;
        while let Some((control, violation)) = self.pending.pop() {
            self.options(control, violation, sets, vector, sight, moves);
            // An atomic sequence that does not end lets the model never move.
            steps += 1;
            if steps > self.states.len() * self.states.len() {
                break;
            }
        }
    }
    fn label(&self) -> Option<Label> {
        None
    }

    fn record_touched(&mut self) {
        self.interp.record_touched();
    }

    fn touched(&mut self) -> Option<&mut Touched> {
        self.interp.touched()
    }
}
