//! Searches for cycles over packed states find what searches over whole vectors find: the same
//! states, transitions, violations and traces.
//!
//! `SPINOR_COUNT` is the number of random models, `SPINOR_SEED` the seed of the first.

mod common;

use common::on_a_large_stack;
use model::claim_slot::ClaimSlot;
use model::reduction::reduce_keeping_steps;
use model::{Interp, LivenessKind, Model, Sight, Touched};
use product::{
    AutomatonClaim, Claim, ClaimMonitor, LabelMonitor, Labels, Moves, NeverClaim, Observer,
    Product, Stutter,
};
use relation::{Label, Monitor};
use search::packed::{ColourStores, Coloured, DenseColoured, packed_nested_dfs};
use search::{Completion, Outcome, SearchConfig};
use space::{Acceptance, Violation, ViolationKind};
use store::{PackedStore, PlainStore};

/// Random models, if nobody asks for another number.
const COUNT: u64 = if cfg!(debug_assertions) { 15 } else { 60 };
/// Bytes for the states of a model that is searched.
const MEMORY: usize = if cfg!(debug_assertions) {
    1 << 17
} else {
    1 << 20
};

/// What was searched.
#[derive(Debug, Default)]
struct Searched {
    packed: usize,
    given_up: usize,
    violated: usize,
    complaints: usize,
    seconds: usize,
    rewritten: usize,
    faults: usize,
    endless: usize,
    early: usize,
}

/// Words without a bit to spare, of all sizes.
#[derive(Default)]
struct Tight {
    made: usize,
}

impl ColourStores for Tight {
    type Store<const W: usize> = PackedStore<W, 2>;

    fn sizes(&self) -> Vec<Vec<u32>> {
        let one = (8..=62).map(|bits| vec![bits]);
        let two = (4..=64).map(|bits| vec![62, bits]);
        one.chain(two).chain([vec![62, 64, 64, 64]]).collect()
    }

    fn sample(&self) -> u64 {
        5
    }

    fn make<const W: usize>(&mut self, bits: [u32; W]) -> PackedStore<W, 2> {
        self.made += 1;
        Coloured.make(bits)
    }
}

/// A claim chosen at run time.
struct Chosen<'m>(Box<dyn Claim + 'm>);

impl Claim for Chosen<'_> {
    fn state_count(&self) -> u32 {
        self.0.state_count()
    }
    fn initial(&self) -> u32 {
        self.0.initial()
    }
    fn sets(&self) -> u32 {
        self.0.sets()
    }
    fn ended(&self, state: u32) -> Option<Violation> {
        self.0.ended(state)
    }
    fn on_states(&self) -> bool {
        self.0.on_states()
    }
    fn is_weak(&self) -> bool {
        self.0.is_weak()
    }
    fn cycle_kind(&self) -> ViolationKind {
        self.0.cycle_kind()
    }
    fn sees_timeout(&self) -> bool {
        self.0.sees_timeout()
    }
    fn waits_for_timeout(&mut self, vector: &[u8]) -> bool {
        self.0.waits_for_timeout(vector)
    }
    fn moves(&mut self, state: u32, vector: &[u8], sight: Sight, moves: &mut Moves) {
        self.0.moves(state, vector, sight, moves);
    }
    fn label(&self) -> Option<Label> {
        self.0.label()
    }
    fn record_touched(&mut self) {
        self.0.record_touched();
    }
    fn touched(&mut self) -> Option<&mut Touched> {
        self.0.touched()
    }
}

/// What watches a model.
#[derive(Clone, Debug)]
enum Watched {
    Never(model::ProctypeId),
    Automaton(Box<Observer>),
    Labels,
}

impl Watched {
    /// All that a model states, and what can be asked of any model.
    fn all(model: &mut Model) -> Vec<Watched> {
        let mut all = vec![Watched::Labels];
        for stated in &model.liveness {
            match &stated.kind {
                LivenessKind::Never(claim) => all.push(Watched::Never(*claim)),
                LivenessKind::Formula(property) => {
                    let observers = [true, false].map(|sets| product::violations(property, sets));
                    let observers = observers.into_iter().flatten();
                    all.extend(observers.map(|observer| Watched::Automaton(Box::new(observer))));
                }
                _ => {}
            }
        }
        all.push(Watched::Automaton(Box::new(product::non_progress(model))));
        all
    }

    /// Whether all that counts is what the claim can reach.
    fn may_stutter_as_spin(&self, model: &Model) -> bool {
        match self {
            Watched::Never(claim) => !NeverClaim::new(model, *claim).accepts(),
            Watched::Automaton(_) | Watched::Labels => false,
        }
    }

    fn claim<'m>(&'m self, model: &'m Model) -> Option<Chosen<'m>> {
        Some(Chosen(match self {
            Watched::Never(claim) => Box::new(NeverClaim::new(model, *claim)),
            Watched::Automaton(observer) => Box::new(AutomatonClaim::new(model, observer)),
            Watched::Labels => return None,
        }))
    }
}

fn agree(name: &str, model: &Model, sum: &mut Searched) {
    let mut model = model.clone();
    for (number, watched) in Watched::all(&mut model).iter().enumerate() {
        for stutter in [Stutter::AsSpin, Stutter::Plain] {
            let mut with_slot = model.clone();
            let mut slot = ClaimSlot::default();
            let (mut is_weak, mut sets) = (false, 1);
            if stutter == Stutter::AsSpin && !watched.may_stutter_as_spin(&model) {
                continue;
            }
            if let Some(claim) = watched.claim(&model) {
                slot = Product::<Interp<'_>, _>::add_claim_slot(&mut with_slot, &claim, stutter);
                (is_weak, sets) = (claim.is_weak(), claim.sets());
            }
            let reduced = reduce_keeping_steps(&with_slot).model;
            for (kind, searched) in [("as it is", &with_slot), ("reduced", &reduced)] {
                for weak in [false, true] {
                    if weak && !is_weak || !weak && sets > 1 {
                        continue;
                    }
                    let name = format!("{name}: {number} {stutter:?} {kind}, weak {weak}");
                    let subject = Subject {
                        watched,
                        model: searched,
                        slot,
                        weak,
                    };
                    if !subject.agree(&name, sum) {
                        return;
                    }
                }
            }
        }
    }
}

struct Subject<'m> {
    watched: &'m Watched,
    model: &'m Model,
    slot: ClaimSlot,
    weak: bool,
}

impl Subject<'_> {
    /// Whether it is small enough.
    fn agree(&self, name: &str, sum: &mut Searched) -> bool {
        for max_errors in [None, Some(1), Some(3)] {
            let config = SearchConfig {
                max_errors,
                memory_limit: Some(MEMORY),
                ..SearchConfig::default()
            };
            let (whole, fault) = self.whole(&config);
            if whole.completion() == Completion::MemoryLimit {
                return false;
            }
            let name = format!("{name}, {max_errors:?}");
            let is_cycle = |kind| matches!(kind, ViolationKind::AcceptanceCycle);
            sum.violated += usize::from(whole.statistics.errors > 0);
            sum.complaints += usize::from(
                (whole.findings().iter()).any(|finding| !is_cycle(finding.violation.kind)),
            );
            sum.seconds += usize::from(whole.statistics.revisited > 0);
            sum.faults += usize::from(fault.is_some());
            sum.endless += usize::from(whole.statistics.endless_atomics > 0);
            sum.early += usize::from(whole.completion() == Completion::ErrorLimit);
            let config = SearchConfig {
                max_errors,
                ..SearchConfig::default()
            };
            let mut tight = Tight::default();
            let outcomes = [
                ("plain", self.packed(&mut Coloured, &config)),
                ("tight", self.packed(&mut tight, &config)),
                ("dense", self.packed(&mut DenseColoured, &config)),
            ];
            for (store, outcome) in outcomes {
                let name = format!("{name}, {store}");
                let Some((outcome, packed_fault)) = outcome else {
                    sum.given_up += 1;
                    continue;
                };
                sum.packed += 1;
                same(&name, &outcome, &whole);
                let is_endless = whole.statistics.endless_atomics > 0;
                if !is_endless && whole.completion() == Completion::Complete {
                    assert_eq!(packed_fault.is_some(), fault.is_some(), "{name}");
                }
            }
            sum.rewritten += tight.made.saturating_sub(2);
        }
        true
    }

    /// The search of whole vectors.
    fn whole(&self, config: &SearchConfig<'_>) -> (Outcome, Option<Violation>) {
        let interp = Interp::new(self.model);
        match self.watched.claim(self.model) {
            Some(claim) => {
                let mut system = Product::new(interp, claim, self.slot);
                (self.search_whole(&mut system, config), system.fault())
            }
            None => {
                let mut system = Labels::new(interp, self.model);
                (self.search_whole(&mut system, config), system.fault())
            }
        }
    }

    fn search_whole(&self, system: &mut impl Acceptance, config: &SearchConfig<'_>) -> Outcome {
        match self.weak {
            true => {
                let mut store = PlainStore::with_note(search::WEAK_DFS_NOTE_BYTES);
                search::weak_dfs(system, &mut store, config)
            }
            false => {
                let note = search::nested_dfs_note_bytes(system.sets());
                search::nested_dfs(system, &mut PlainStore::with_note(note), config)
            }
        }
    }

    /// The search of packed states.
    fn packed(
        &self,
        stores: &mut impl ColourStores,
        config: &SearchConfig<'_>,
    ) -> Option<(Outcome, Option<Violation>)> {
        match self.watched.claim(self.model) {
            Some(claim) => self.search_packed(ClaimMonitor::new(claim, self.slot), stores, config),
            None => self.search_packed(LabelMonitor::new(self.model), stores, config),
        }
    }

    fn search_packed(
        &self,
        monitor: impl Monitor,
        stores: &mut impl ColourStores,
        config: &SearchConfig<'_>,
    ) -> Option<(Outcome, Option<Violation>)> {
        let product = relation::Product::new(self.model, monitor).ok()?;
        packed_nested_dfs(product, stores, config, self.weak)
    }
}

/// The outcomes are the same.
fn same(name: &str, packed: &Outcome, whole: &Outcome) {
    assert_eq!(packed.completion(), whole.completion(), "{name}");
    let is_complete = whole.completion() == Completion::Complete;
    if is_complete {
        assert_eq!(packed.reached, whole.reached, "{name}");
    }
    let mut statistics = packed.statistics.clone();
    if !is_complete {
        // It speaks of successors that were not stored yet, too.
        statistics.longest_state = whole.statistics.longest_state;
    }
    if whole.statistics.endless_atomics > 0 {
        // Here it is cut as soon as it comes back.
        assert!(statistics.endless_atomics > 0, "{name}");
        assert_eq!(statistics.stored, whole.statistics.stored, "{name}");
        return;
    }
    if whole.statistics.errors > 1 {
        // A search over vectors that goes on behind a cycle takes the states that wait in another
        // order, and may come deeper. `relay.pml` without progress is an example: 2,186 levels
        // there, 2,124 here and in `pan -l -c0`.
        statistics.depth = whole.statistics.depth;
    }
    assert_eq!(statistics, whole.statistics, "{name}");
    assert_eq!(packed.findings(), whole.findings(), "{name}");
    assert_eq!(packed.exhaustive(), whole.exhaustive(), "{name}");
}

fn check_all(models: impl Iterator<Item = (String, Model)>, least: usize) {
    let mut sum = Searched::default();
    models.for_each(|(name, model)| agree(&name, &model, &mut sum));
    println!("{sum:?}");
    assert!(sum.packed > least, "only {}", sum.packed);
}

#[test]
fn corpus_models() {
    on_a_large_stack(|| check_all(common::corpus().into_iter(), 1000));
}

#[test]
fn random_models() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::model_with_formula), 100));
}

#[test]
fn random_families() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::family_model), 100));
}

#[test]
fn random_provided() {
    on_a_large_stack(|| {
        check_all(
            common::random(COUNT, generate::provided_model_with_formula),
            100,
        );
    });
}

#[test]
fn random_waiting() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::waiting_model), 100));
}

#[test]
fn random_symmetric() {
    on_a_large_stack(|| {
        check_all(
            common::random(COUNT, generate::symmetric_model_with_formula),
            100,
        );
    });
}

#[test]
fn random_tags() {
    on_a_large_stack(|| check_all(common::random(COUNT, generate::tag_model), 100));
}

#[test]
fn random_endless() {
    on_a_large_stack(|| check_all(common::random(COUNT / 4, generate::endless_model), 30));
}

#[test]
fn random_claimed() {
    on_a_large_stack(|| check_all(common::random(2 * COUNT, generate::claimed_model), 100));
}
