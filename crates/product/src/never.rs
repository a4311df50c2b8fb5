//! Claims written as `never { ... }`.
//!
//! A claim that reaches its closing brace has matched the execution so far: that is a
//! violation, and so is an assertion in the claim that fails. A state of the claim is
//! accepting if it has a label that begins with `accept`. In an atomic sequence the claim
//! takes all its steps before the model moves.

use model::{Action, ControlId, Expr, Interp, Model, ProctypeId, Sight};
use space::{SiteId, Violation, ViolationKind};

use crate::{Claim, ClaimMove, Moves};

/// A `never` claim of a model.
pub struct NeverClaim<'m> {
    interp: Interp<'m>,
    claim: ProctypeId,
    sees_timeout: bool,
    /// Where an atomic sequence goes on: the control state, and the claim's violation so far.
    pending: Vec<(ControlId, Option<Violation>)>,
}

impl<'m> NeverClaim<'m> {
    /// The claim that is this proctype of the model.
    pub fn new(model: &'m Model, claim: ProctypeId) -> NeverClaim<'m> {
        NeverClaim {
            sees_timeout: sees_timeout(model, claim),
            interp: Interp::new(model),
            claim,
            pending: Vec::new(),
        }
    }

    /// Whether it has accepting states.
    pub fn accepts(&self) -> bool {
        let states = &self.interp.model().proctype(self.claim).states;
        states.iter().any(|state| state.accept)
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
        let model = self.interp.model();
        let states = &model.proctype(self.claim).states;
        let mut moved = false;
        for option in &states[from.index()].options {
            let id = option.transition;
            let transition = model.transition(id);
            let mut violation = before;
            let enabled = match &transition.action {
                Action::Guard(expr) => match self.interp.observe_value(vector, sight, *expr) {
                    Ok(value) => value != 0,
                    Err(fault) => {
                        violation = violation.or(Some(fault));
                        true
                    }
                },
                Action::Assert(expr, site) => {
                    let failed = self.failed(vector, sight, *expr, *site);
                    violation = violation.or(failed);
                    true
                }
                Action::Else => !moved,
                // Once all processes are gone, so is the claim, as with Spin.
                Action::End => self.interp.process_count() == 0,
                _ => true,
            };
            if !enabled {
                continue;
            }
            moved = true;
            if transition.atomic && !is_end(model, self.claim, transition.target) {
                self.pending.push((transition.target, violation));
                continue;
            }
            moves.list.push(ClaimMove {
                target: transition.target.0,
                edge: id.0,
                sets,
                violation,
            });
        }
    }

    /// What an assertion of the claim comes to.
    fn failed(
        &self,
        vector: &[u8],
        sight: Sight,
        expr: model::ExprId,
        site: SiteId,
    ) -> Option<Violation> {
        match self.interp.observe_value(vector, sight, expr) {
            Ok(0) => Some(Violation {
                kind: ViolationKind::Assertion,
                site: Some(site),
            }),
            Ok(_) => None,
            Err(fault) => Some(fault),
        }
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
        self.interp.model().proctype(self.claim).states.len() as u32
    }

    fn initial(&self) -> u32 {
        self.interp.model().proctype(self.claim).initial.0
    }

    fn sets(&self) -> u32 {
        1
    }

    fn ended(&self, state: u32) -> Option<Violation> {
        let ended = is_end(self.interp.model(), self.claim, ControlId(state));
        ended.then(|| ViolationKind::Claim.into())
    }

    fn on_states(&self) -> bool {
        true
    }

    fn is_weak(&self) -> bool {
        false
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
        self.interp.load(vector);
        let control = ControlId(state);
        let states = &self.interp.model().proctype(self.claim).states;
        let sets = u32::from(states[control.index()].accept);
        self.pending.clear();
        self.options(control, None, sets, vector, sight, moves);
        let mut steps = 0;
        while let Some((control, violation)) = self.pending.pop() {
            self.options(control, violation, sets, vector, sight, moves);
            // An atomic sequence that does not end lets the model never move.
            steps += 1;
            if steps > states.len() * states.len() {
                break;
            }
        }
    }
}
