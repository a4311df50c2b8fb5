//! Breadth-first search over packed states, with shortest counterexamples.
//!
//! Follows: [003, Fig. 8.6], layer by layer, with the search for the path to an error that the text
//! adds: a log says which move each state was found by, see [`crate::links`].
//!
//! Departs:
//! - A move that leads where another one leads is counted and not taken, see
//!   [`System::expand_awake`](relation::System::expand_awake).
//! - Successors of several states are gathered before they are looked up, so that the memory
//!   accesses overlap. They are inserted in order.
//! - A move is a step, or an atomic sequence as a whole. So shortest means fewest moves, and the
//!   depth is the number of moves to the states furthest away. The depth bound counts moves, too:
//!   states at that depth are stored but not expanded.

use relation::{Counted, Digest, MoveId, Next, State};

use super::WordStores;
use super::search::{Search, Stop, Successors, memory_of};
use crate::links::Links;

/// Look successors up when there are so many of them.
const BATCH: usize = 64;

/// A state that waits to be explored.
#[derive(Clone, Copy)]
struct Found<const W: usize, D> {
    state: State<W, D>,
    /// Who sleeps there.
    asleep: u32,
    /// The move that it was found by; none for the initial state.
    info: Option<MoveId>,
}

/// Successors with their representatives, where there are some.
type Gathered<'s, const W: usize, D> = (&'s [Next<W, D>], &'s [State<W, D>]);

/// The states of a layer that wait, those of the layer that follows, and where all come from.
pub(super) struct Layers<const W: usize, D> {
    layer: Vec<Found<W, D>>,
    following: Vec<Found<W, D>>,
    links: Links,
    /// How many states were expanded.
    expanded: u64,
    /// For some successors to come, how many have the same parent, and its number.
    parents: [Vec<(u32, u64)>; 2],
    depth: u64,
}

impl<const W: usize, D: Digest> Layers<W, D> {
    pub(super) fn new(initial: &State<W, D>) -> Layers<W, D> {
        Layers {
            layer: vec![Found {
                state: *initial,
                asleep: 0,
                info: None,
            }],
            following: Vec::new(),
            links: Links::default(),
            expanded: 0,
            parents: Default::default(),
            depth: 0,
        }
    }

    /// The same with another layout.
    pub(super) fn rewritten<const V: usize>(
        self,
        rewrite: impl Fn(State<W, D>) -> State<V, D>,
    ) -> Layers<V, D> {
        let rewrite = |list: Vec<Found<W, D>>| {
            let rewritten = list.into_iter().map(|found| Found {
                state: rewrite(found.state),
                asleep: found.asleep,
                info: found.info,
            });
            rewritten.collect()
        };
        Layers {
            layer: rewrite(self.layer),
            following: rewrite(self.following),
            links: self.links,
            expanded: self.expanded,
            parents: self.parents,
            depth: self.depth,
        }
    }

    /// The memory of what leads back to the initial state.
    pub(super) fn link_bytes(&self) -> usize {
        self.links.memory_bytes()
    }
}

impl<A: WordStores, const W: usize> Search<'_, A, W> {
    /// After [`Stop::TooNarrow`] it can go on.
    pub(super) fn breadth_first(&mut self) -> Result<(), Stop> {
        self.begin()?;
        let mut layer = std::mem::take(&mut self.layers.layer);
        let ended = self.explore_layers(&mut layer);
        self.layers.layer = layer;
        self.note_peak();
        ended
    }

    fn note_peak(&mut self) {
        let waiting = memory_of(&self.layers.layer) + memory_of(&self.layers.following);
        self.peak = self.peak.max(waiting);
    }

    fn explore_layers(&mut self, layer: &mut Vec<Found<W, A::Digest>>) -> Result<(), Stop> {
        let bound = self.accounting.config.depth.unwrap_or(u64::MAX);
        while !layer.is_empty() {
            if self.layers.depth >= bound {
                self.accounting.truncated = true;
                return Ok(());
            }
            let mut explored = 0;
            let ended = self.explore_layer(layer, &mut explored);
            // A search that ends at a violation has looked up all that comes before it.
            if !matches!(ended, Err(Stop::Limit(crate::Completion::ErrorLimit))) {
                self.look_up_all();
            }
            self.peak = self
                .peak
                .max(memory_of(layer) + memory_of(&self.layers.following));
            layer.drain(..explored);
            ended?;
            if !self.layers.following.is_empty() {
                self.layers.depth += 1;
            }
            std::mem::swap(layer, &mut self.layers.following);
        }
        Ok(())
    }

    /// Find the successors of the states of a layer, and count those that were explored.
    #[inline(never)]
    fn explore_layer(
        &mut self,
        layer: &[Found<W, A::Digest>],
        explored: &mut usize,
    ) -> Result<(), Stop> {
        let deadline = self.deadline;
        for waiting in layer {
            let Found {
                state,
                asleep,
                info,
            } = waiting;
            let from = self.now.next.len();
            let mut poll = || deadline.has_come();
            let expanded = match self.may_sleep() {
                true => (self.system).expand_awake(state, *asleep, &mut self.now.next, &mut poll),
                false => self.system.expand(state, &mut self.now.next, &mut poll),
            };
            let represented = expanded.map_err(Stop::from).and_then(|counted| {
                Self::represent(&mut self.system, &mut self.orbits, &mut self.now, from)?;
                Ok(counted)
            });
            let counted = match represented {
                Ok(counted) => counted,
                Err(stop) => {
                    self.now.truncate(from);
                    return Err(stop);
                }
            };
            let found = (self.now.next.len() - from) as u32;
            *explored += 1;
            self.layers.parents[0].push((found, self.layers.expanded));
            self.layers.expanded += 1;
            let statistics = &mut self.accounting.statistics;
            statistics.atomic_steps += counted.atomic_steps;
            statistics.endless_atomics += counted.endless;
            statistics.matched += u64::from(counted.slept_through);
            if counted.has_violations || !counted.moved {
                self.report_all((state, *info), &counted, from)?;
            }
            if self.now.next.len() >= BATCH || self.layers.parents[0].len() >= BATCH {
                self.turn_over();
            }
            self.until_poll -= 1;
            if self.until_poll == 0 {
                let waiting = 2 * memory_of(&self.layers.following) + self.layers.link_bytes();
                self.poll(waiting)?;
            }
        }
        Ok(())
    }

    /// Whether moves may be left to states that others lead to. These have to be explored as they
    /// are: not as another state with the same representative, where processes have other pids, or
    /// with other hidden variables.
    fn may_sleep(&self) -> bool {
        self.orbits.is_none() && self.system.hidden_len() == 0
    }

    /// Ask for the memory that the successors need which came last, all at once, since then the
    /// processor translates several addresses at a time; and look up those before them, whose
    /// memory has come meanwhile: count those that are known, and let the others wait, with who
    /// sleeps there.
    #[inline(always)]
    fn turn_over(&mut self) {
        Self::prepare(&self.system, &mut self.store, &mut self.now);
        let mut before = std::mem::replace(&mut self.ahead, Successors::new());
        let mut parents = std::mem::take(&mut self.layers.parents[1]);
        let mut rest = before.next.iter().zip(&before.keys).enumerate();
        for &(count, parent) in &parents {
            for (at, (next, &key)) in rest.by_ref().take(count as usize) {
                let words = Self::words_of(&self.system, &before, at);
                if self.insert(&words, key) {
                    self.layers.links.push(parent, next.number());
                    self.layers.following.push(Found {
                        state: next.state,
                        asleep: next.asleep,
                        info: Some(next.info),
                    });
                }
            }
        }
        before.clear();
        parents.clear();
        self.layers.parents[1] = std::mem::replace(&mut self.layers.parents[0], parents);
        self.ahead = std::mem::replace(&mut self.now, before);
    }

    /// Look up all successors that were gathered.
    fn look_up_all(&mut self) {
        self.turn_over();
        self.turn_over();
        let depth = self.layers.depth + u64::from(!self.layers.following.is_empty());
        let statistics = &mut self.accounting.statistics;
        statistics.depth = statistics.depth.max(depth);
    }

    /// Report what the steps out of the state expanded last violate, whose successors begin with this
    /// number.
    #[cold]
    fn report_all(
        &mut self,
        (state, info): (&State<W, A::Digest>, Option<MoveId>),
        counted: &Counted,
        from: usize,
    ) -> Result<(), Stop> {
        let violations = self.violations(state, counted)?;
        let last = info.and_then(|info| self.system.relation().info(info).last);
        let number = self.layers.expanded - 1;
        let successors = self.now.next.split_off(from);
        let represented = match self.orbits {
            None => Vec::new(),
            Some(_) => self.now.representatives.split_off(from),
        };
        let parent = (self.layers.parents[0].pop()).map_or(0, |(_, parent)| parent);
        let mut rest = (&successors[..], &represented[..]);
        for violated in &violations {
            let is_before = |next: &&Next<W, A::Digest>| next.number() < violated.after;
            let before = rest.0.iter().take_while(is_before).count();
            let split = before.min(rest.1.len());
            self.gather((&rest.0[..before], &rest.1[..split]), parent);
            rest = (&rest.0[before..], &rest.1[split..]);
            self.look_up_all();
            let path = |search: &mut Self| search.layers.links.moves_to(number);
            self.report(state, violated, last, path)?;
        }
        self.gather(rest, parent);
        Ok(())
    }

    /// Gather successors with their representatives, where there are some.
    fn gather(&mut self, (successors, represented): Gathered<'_, W, A::Digest>, parent: u64) {
        self.now.next.extend_from_slice(successors);
        self.now.representatives.extend_from_slice(represented);
        self.layers.parents[0].push((successors.len() as u32, parent));
    }
}
