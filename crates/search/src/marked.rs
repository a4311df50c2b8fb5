//! Graphs with acceptance sets, written down as lists of edges, and slow and obvious answers
//! about their cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use space::{
    Acceptance, Control, Expansion, Fairness, Mark, NextState, Pid, Row, Step, TransitionId,
    Violation, ViolationKind,
};
use store::PlainStore;

use crate::numbers::Numbers;
use crate::{Completion, Finding, Outcome, SearchConfig};

/// What a step is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    pub(crate) pid: u8,
    pub(crate) partner: Option<u8>,
    pub(crate) to: usize,
    /// Whether it leads into, or further into, an atomic sequence.
    pub(crate) atomic: bool,
    pub(crate) sets: u32,
    /// Whether it breaks an assertion.
    pub(crate) asserts: bool,
}

/// A step of process 0 out of any atomic sequence.
pub(crate) fn to(to: usize) -> Edge {
    Edge {
        to,
        ..Edge::default()
    }
}

/// Nobody moves.
const NOBODY: u8 = Pid::NOBODY.0;

/// A node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The steps that are there also under exclusive control.
    pub(crate) exclusive: Vec<Edge>,
    /// All others.
    pub(crate) free: Vec<Edge>,
}

/// A system with the nodes numbered from 0, the initial one. Steps are numbered through: this
/// is their transition and the edge of their mark.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marked {
    pub(crate) nodes: Vec<Node>,
    pub(crate) sets: u32,
    pub(crate) on_states: bool,
    pub(crate) is_weak: bool,
    pub(crate) hidden_len: usize,
    /// How many nodes were expanded.
    pub(crate) expansions: u64,
}

impl Marked {
    /// A graph of steps of process 0, by the successors of each node, where the steps out of
    /// some are accepting.
    pub(crate) fn accepting(successors: &[&[usize]], accepting: &[usize]) -> Marked {
        let node = |(number, targets): (usize, &&[usize])| Node {
            free: (targets.iter())
                .map(|&target| Edge {
                    sets: u32::from(accepting.contains(&number)),
                    ..to(target)
                })
                .collect(),
            ..Node::default()
        };
        Marked {
            nodes: successors.iter().enumerate().map(node).collect(),
            sets: 1,
            on_states: true,
            ..Marked::default()
        }
    }

    /// The steps out of a node with their numbers.
    fn edges(&self, node: usize, control: Control) -> Vec<(u32, Edge)> {
        let before = (self.nodes[..node].iter())
            .map(|node| node.exclusive.len() + node.free.len())
            .sum::<usize>() as u32;
        let Node { exclusive, free } = &self.nodes[node];
        let all = (before..).zip(exclusive.iter().chain(free).copied());
        match control {
            Control::Free => all.collect(),
            Control::Exclusive(_) => all.take(exclusive.len()).collect(),
        }
    }

    fn vector(&self, node: usize, hidden: u8) -> Vec<u8> {
        let mut vector = vec![hidden; self.hidden_len];
        vector.extend_from_slice(&(node as u16).to_le_bytes());
        vector.resize(vector.len() + node % 3, 7);
        vector
    }

    /// The processes that are enabled in a state.
    fn enabled(&self, node: usize) -> BTreeSet<u8> {
        let edges = self.edges(node, Control::Free).into_iter();
        let pids = edges.map(|(_, edge)| edge.pid);
        pids.filter(|&pid| pid != NOBODY).collect()
    }
}

fn movers(edge: &Edge) -> impl Iterator<Item = u8> {
    let own = (edge.pid != NOBODY).then_some(edge.pid);
    own.into_iter().chain(edge.partner)
}

fn control(edge: &Edge) -> Control {
    match edge.atomic {
        true => Control::Exclusive(Pid(0)),
        false => Control::Free,
    }
}

impl NextState for Marked {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(self.vector(0, 0))
    }

    fn hidden_len(&self) -> usize {
        self.hidden_len
    }

    fn transition_count(&self) -> usize {
        let count = |node: &Node| node.exclusive.len() + node.free.len();
        self.nodes.iter().map(count).sum()
    }

    fn extend(&mut self, state: &[u8], control: Control, found: &mut Expansion) {
        self.expansions += 1;
        found.moved = false;
        let bytes = [state[self.hidden_len], state[self.hidden_len + 1]];
        let node = usize::from(u16::from_le_bytes(bytes));
        let hidden = state[..self.hidden_len].first().copied().unwrap_or(0);
        for (number, edge) in self.edges(node, control) {
            let step = Step {
                pid: Pid(edge.pid),
                transition: match edge.pid {
                    NOBODY => TransitionId::STUTTER,
                    _ => TransitionId(number),
                },
                partner: edge.partner.map(|pid| (Pid(pid), TransitionId(number))),
            };
            if edge.partner.is_some() {
                found.push_bare(Row::new(None, Control::Free, Row::OFFER));
                found.marks.push(Mark::default());
            }
            let vector = self.vector(edge.to, hidden.wrapping_add(1));
            found.push(Row::new(Some(step), self::control(&edge), 0), &vector);
            found.marks.push(Mark {
                sets: edge.sets,
                edge: number,
            });
            if edge.asserts {
                found.blame(ViolationKind::Assertion.into());
            }
            found.moved = true;
        }
    }

    fn is_valid_end(&mut self, _state: &[u8]) -> bool {
        true
    }
}

impl Acceptance for Marked {
    fn sets(&self) -> u32 {
        self.sets
    }

    fn on_states(&self) -> bool {
        self.on_states
    }

    fn is_weak(&self) -> bool {
        self.is_weak
    }
}

/// A move from state to state.
#[derive(Clone, Debug)]
struct Move {
    to: usize,
    sets: u32,
    movers: BTreeSet<u8>,
}

/// All moves out of a state. Steps into atomic sequences lead to greater numbers.
fn moves(graph: &Marked, node: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut todo = vec![(node, Control::Free, 0, BTreeSet::new())];
    while let Some((node, at, sets, moved)) = todo.pop() {
        let edges = graph.edges(node, at);
        if edges.is_empty() && at != Control::Free {
            moves.push(Move {
                to: node,
                sets,
                movers: moved.clone(),
            });
        }
        for (_, edge) in edges {
            let sets = sets | edge.sets;
            let moved: BTreeSet<u8> = moved.iter().copied().chain(movers(&edge)).collect();
            match control(&edge) {
                Control::Free => moves.push(Move {
                    to: edge.to,
                    sets,
                    movers: moved,
                }),
                inside => todo.push((edge.to, inside, sets, moved)),
            }
        }
    }
    moves
}

/// The reachable states with their moves.
pub(crate) struct States(BTreeMap<usize, Vec<(usize, u32, BTreeSet<u8>)>>);

impl States {
    pub(crate) fn new(graph: &Marked) -> States {
        let mut states = BTreeMap::new();
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            if states.contains_key(&node) {
                continue;
            }
            let moves = moves(graph, node);
            todo.extend(moves.iter().map(|step| step.to));
            let moves = (moves.into_iter())
                .map(|step| (step.to, step.sets, step.movers))
                .collect();
            states.insert(node, moves);
        }
        States(states)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the states of a set lie on one cycle together that stays inside.
    fn is_cycle(&self, set: &BTreeSet<usize>) -> bool {
        set.iter().all(|&from| {
            let mut reached = BTreeSet::new();
            let mut todo = vec![from];
            while let Some(node) = todo.pop() {
                for (to, ..) in &self.0[&node] {
                    if set.contains(to) && reached.insert(*to) {
                        todo.push(*to);
                    }
                }
            }
            reached == *set
        })
    }

    /// Whether some reachable cycle is accepting and fair.
    pub(crate) fn has_cycle(&self, graph: &Marked, fairness: Fairness) -> bool {
        self.cycles(graph, fairness).next().is_some()
    }

    /// The sets of states through which an accepting, fair cycle goes: each set is asked, by
    /// the definitions.
    fn cycles<'a>(
        &'a self,
        graph: &'a Marked,
        fairness: Fairness,
    ) -> impl Iterator<Item = BTreeSet<usize>> + 'a {
        let states: Vec<usize> = self.0.keys().copied().collect();
        assert!(states.len() <= 12);
        let sets = (1_u32..1 << states.len()).map(move |chosen| {
            let chosen = (0..states.len()).filter(|&n| chosen >> n & 1 != 0);
            chosen.map(|n| states[n]).collect()
        });
        sets.filter(move |set: &BTreeSet<usize>| {
            if !self.is_cycle(set) {
                return false;
            }
            let moves = set.iter().flat_map(|node| &self.0[node]);
            let inside: Vec<_> = moves.filter(|(to, ..)| set.contains(to)).collect();
            let sets = inside.iter().fold(0, |sets, (_, more, _)| sets | more);
            let moved = inside.iter().flat_map(|(_, _, movers)| movers).copied();
            let enabled = set.iter().map(|&node| graph.enabled(node)).collect();
            is_accepting(graph, sets) && is_fair(fairness, &moved.collect(), enabled)
        })
    }
}

impl States {
    /// The fewest moves to a state on an accepting, fair cycle.
    pub(crate) fn nearest(&self, graph: &Marked, fairness: Fairness) -> Option<usize> {
        let on_cycles: BTreeSet<usize> = self.cycles(graph, fairness).flatten().collect();
        let mut layer = BTreeSet::from([0]);
        let mut seen = BTreeSet::new();
        let mut moves = 0;
        while !layer.is_empty() {
            if layer.iter().any(|state| on_cycles.contains(state)) {
                return Some(moves);
            }
            seen.extend(layer.iter().copied());
            let next = layer.iter().flat_map(|state| &self.0[state]);
            layer = next
                .map(|(to, ..)| *to)
                .filter(|to| !seen.contains(to))
                .collect();
            moves += 1;
        }
        None
    }
}

/// The moves of the stem of a lasso, and all its moves.
pub(crate) fn lengths(graph: &Marked, finding: &Finding) -> (usize, usize) {
    let trace = &finding.trace;
    let (mut stem, mut moves) = (0, 0);
    let mut at = Control::Free;
    let mut node = 0;
    for (number, &edge) in trace.claim.iter().enumerate() {
        if Some(number) == trace.cycle {
            stem = moves;
        }
        let edges = graph.edges(node, at);
        let (_, taken) = edges
            .iter()
            .find(|(number, _)| *number == edge)
            .expect("a step");
        node = taken.to;
        at = losing_control(graph, node, control(taken));
        moves += usize::from(at == Control::Free);
    }
    (stem, moves)
}

fn is_accepting(graph: &Marked, sets: u32) -> bool {
    (0..graph.sets).all(|set| sets >> set & 1 != 0)
}

/// Whether a cycle is fair on which these move, and in whose states those are enabled.
fn is_fair(fairness: Fairness, moved: &BTreeSet<u8>, enabled: Vec<BTreeSet<u8>>) -> bool {
    let often: BTreeSet<u8> = enabled.iter().flatten().copied().collect();
    often.iter().all(|pid| {
        moved.contains(pid)
            || match fairness {
                Fairness::None => true,
                Fairness::Weak => enabled.iter().any(|state| !state.contains(pid)),
                Fairness::Strong => false,
            }
    })
}

/// Check that a search found a cycle exactly if one is expected, and that what it found is
/// one.
#[track_caller]
pub(crate) fn check(
    graph: &Marked,
    fairness: Fairness,
    expected: bool,
    outcome: &Outcome,
    context: &str,
) {
    let lasso = |finding: &&Finding| finding.violation.kind == ViolationKind::AcceptanceCycle;
    let cycles: Vec<_> = outcome.findings().iter().filter(lasso).collect();
    assert_eq!(!cycles.is_empty(), expected, "{context}: {graph:?}");
    for finding in cycles {
        follow(graph, fairness, finding);
    }
}

/// Execute a lasso, and check that it closes, is accepting and fair.
#[track_caller]
pub(crate) fn follow(graph: &Marked, fairness: Fairness, finding: &Finding) {
    let trace = &finding.trace;
    let context = format!("{finding:?} of {graph:?}");
    let start = trace.cycle.expect("a cycle");
    assert_eq!(trace.steps.len(), trace.claim.len(), "{context}");
    assert!(start < trace.steps.len(), "{context}");
    let levels = |step: &Step| 1 + i64::from(step.partner.is_some());
    let depth: i64 = trace.steps[..start].iter().map(levels).sum();
    assert_eq!(finding.depth, depth, "{context}");
    let (mut node, mut at) = (0, Control::Free);
    let (mut first, mut sets, mut moved) = (None, 0, BTreeSet::new());
    let mut enabled = Vec::new();
    for (number, (step, &edge)) in trace.steps.iter().zip(&trace.claim).enumerate() {
        at = losing_control(graph, node, at);
        if number == start {
            first = Some((node, at));
        }
        if number >= start && at == Control::Free {
            enabled.push(graph.enabled(node));
        }
        let edges = graph.edges(node, at);
        let taken = edges.iter().find(|(number, _)| *number == edge);
        let (_, taken) = taken.unwrap_or_else(|| panic!("step {number}: {context}"));
        assert_eq!(step.pid.0, taken.pid, "{context}");
        assert_eq!(step.partner.map(|(pid, _)| pid.0), taken.partner);
        if number >= start {
            sets |= taken.sets;
            moved.extend(movers(taken));
        }
        (node, at) = (taken.to, control(taken));
    }
    at = losing_control(graph, node, at);
    assert_eq!(Some((node, at)), first, "{context}");
    assert!(is_accepting(graph, sets), "{context}");
    assert!(is_fair(fairness, &moved, enabled), "{context}");
}

fn losing_control(graph: &Marked, node: usize, at: Control) -> Control {
    match graph.edges(node, at).is_empty() {
        true => Control::Free,
        false => at,
    }
}

/// A random graph. Steps into atomic sequences lead to greater numbers, so that they end.
pub(crate) fn random_marked(rng_seed: u64) -> Marked {
    let mut numbers = Numbers::new(rng_seed);
    let count = 1 + numbers.below(9);
    let processes = 1 + numbers.below(3);
    let sets = numbers.below(4) as u32;
    let on_states = numbers.below(2) == 0;
    let rare = 1 + numbers.below(6);
    let atomic = numbers.below(3);
    let mut graph = Marked {
        nodes: vec![Node::default(); count],
        sets,
        on_states,
        hidden_len: numbers.below(3),
        ..Marked::default()
    };
    for (n, node) in graph.nodes.iter_mut().enumerate() {
        let some_sets = |numbers: &mut Numbers| {
            (0..sets).fold(0, |all, set| {
                all | u32::from(numbers.below(rare) == 0) << set
            })
        };
        let of_node = some_sets(&mut numbers);
        for kind in 0..2 {
            let steps = match kind {
                0 => numbers.below(1 + atomic),
                _ => numbers.below(4),
            };
            for _ in 0..steps {
                let target = numbers.below(count);
                let pid = numbers.below(processes) as u8;
                let edge = Edge {
                    pid,
                    partner: (numbers.below(6) == 0).then(|| (pid + 1) % processes as u8),
                    to: target,
                    atomic: atomic > 0 && target > n && numbers.below(3) > 0,
                    sets: match on_states {
                        true => of_node,
                        false => some_sets(&mut numbers),
                    },
                    asserts: numbers.below(20) == 0,
                };
                let edge = Edge {
                    partner: edge.partner.filter(|&partner| partner != pid),
                    ..edge
                };
                match kind {
                    0 => node.exclusive.push(edge),
                    _ => node.free.push(edge),
                }
            }
        }
        if node.exclusive.is_empty() && node.free.is_empty() && numbers.below(2) == 0 {
            node.free.push(Edge {
                pid: NOBODY,
                sets: of_node,
                ..to(n)
            });
        }
    }
    graph
}

/// A row of random graphs of one set, each with a step to the next, too large for the
/// definitions. None has a strongly fair cycle by itself.
pub(crate) fn random_row(rng_seed: u64) -> Marked {
    let mut numbers = Numbers::new(rng_seed);
    let mut row = Marked {
        sets: 1,
        ..Marked::default()
    };
    while row.nodes.len() < 40 {
        let block = random_marked(numbers.below(1 << 30) as u64);
        let states = States::new(&block);
        if block.sets != 1 || states.len() < 3 || states.has_cycle(&block, Fairness::Strong) {
            continue;
        }
        let first = row.nodes.len();
        if let Some(before) = first.checked_sub(1) {
            let link = Edge {
                pid: numbers.below(3) as u8,
                ..to(first)
            };
            row.nodes[before - numbers.below(3)].free.push(link);
        }
        row.nodes.extend(block.nodes);
        for node in &mut row.nodes[first..] {
            for edge in node.exclusive.iter_mut().chain(&mut node.free) {
                edge.to += first;
            }
        }
    }
    row
}

/// Make the graph weak: what is accepting in a component is so with all its moves. Without
/// atomic sequences.
pub(crate) fn weaken(graph: &mut Marked, rng_seed: u64) {
    let mut numbers = Numbers::new(rng_seed);
    for node in &mut graph.nodes {
        let inside = std::mem::take(&mut node.exclusive);
        node.free.extend(inside);
        for edge in &mut node.free {
            (edge.atomic, edge.sets) = (false, 0);
        }
    }
    let states = States::new(graph);
    let count = graph.nodes.len();
    let reaches = |from: usize, to: usize| {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(node) = todo.pop() {
            for (next, ..) in states.0.get(&node).into_iter().flatten() {
                if seen.insert(*next) {
                    todo.push(*next);
                }
            }
        }
        from == to || seen.contains(&to)
    };
    // The component of a node is named by its least node.
    let names: Vec<usize> = (0..count)
        .map(|node| {
            let same = |&other: &usize| reaches(node, other) && reaches(other, node);
            (0..count).find(same).unwrap_or(node)
        })
        .collect();
    let accepting: Vec<bool> = (0..count).map(|_| numbers.below(4) == 0).collect();
    (graph.sets, graph.on_states, graph.is_weak) = (1, true, true);
    for (node, name) in graph.nodes.iter_mut().zip(names) {
        for edge in &mut node.free {
            edge.sets = u32::from(accepting[name]);
        }
    }
}

/// A search with a store of its own.
pub(crate) type Search = fn(&mut Marked, &SearchConfig<'_>) -> Outcome;

/// A long line with an accepting cycle at its end, within all sorts of limits.
#[track_caller]
pub(crate) fn check_limits(search: Search) {
    let line: Vec<Vec<usize>> = (0..200).map(|n| vec![(n + 1).min(199)]).collect();
    let line: Vec<&[usize]> = line.iter().map(Vec::as_slice).collect();
    let graph = Marked::accepting(&line, &[199]);
    let plain = SearchConfig {
        poll_interval: 1,
        max_errors: None,
        ..SearchConfig::default()
    };
    let stop = AtomicBool::new(true);
    let limits = [
        (plain, Completion::Complete),
        (
            SearchConfig {
                max_errors: Some(1),
                ..plain
            },
            Completion::ErrorLimit,
        ),
        (
            SearchConfig {
                depth: Some(100),
                ..plain
            },
            Completion::DepthLimit,
        ),
        (
            SearchConfig {
                memory_limit: Some(1),
                ..plain
            },
            Completion::MemoryLimit,
        ),
        (
            SearchConfig {
                time_limit: Some(Duration::ZERO),
                ..plain
            },
            Completion::TimeLimit,
        ),
        (
            SearchConfig {
                stop: Some(&stop),
                ..plain
            },
            Completion::Interrupted,
        ),
    ];
    for (config, ended) in limits {
        let outcome = search(&mut graph.clone(), &config);
        assert_eq!(outcome.completion(), ended);
        let all = matches!(ended, Completion::Complete | Completion::ErrorLimit);
        assert_eq!(outcome.findings().len(), usize::from(all), "{ended:?}");
        assert_eq!(
            outcome.exhaustive().is_some(),
            ended == Completion::Complete
        );
    }
    check_bounded(search);
    check_safety(search);
}

/// Within a depth bound nothing false is found, and nothing is said to hold that does not.
#[track_caller]
fn check_bounded(search: Search) {
    for rng_seed in 0..500 {
        let mut graph = random_marked(rng_seed);
        for depth in 0..6 {
            let config = SearchConfig {
                depth: Some(depth),
                max_errors: None,
                ..SearchConfig::default()
            };
            let outcome = search(&mut graph, &config);
            let lasso = |finding: &&Finding| finding.trace.cycle.is_some();
            for finding in outcome.findings().iter().filter(lasso) {
                follow(&graph, Fairness::None, finding);
            }
            if outcome.exhaustive().is_some() {
                let expected = States::new(&graph).has_cycle(&graph, Fairness::None);
                check(&graph, Fairness::None, expected, &outcome, "bounded");
            }
        }
    }
}

/// Violations of safety are found as by a plain search, with a trace that leads to them.
#[track_caller]
fn check_safety(search: Search) {
    let config = SearchConfig {
        max_errors: None,
        kept_traces: usize::MAX,
        ..SearchConfig::default()
    };
    let steps = |outcome: &Outcome| -> BTreeSet<u32> {
        let safety = |finding: &&Finding| finding.trace.cycle.is_none();
        (outcome.findings().iter().filter(safety))
            .map(|finding| {
                assert_eq!(finding.violation.kind, ViolationKind::Assertion);
                assert_eq!(finding.trace.steps.len(), finding.trace.claim.len());
                *finding.trace.claim.last().expect("the failing step")
            })
            .collect()
    };
    let mut found = 0;
    for rng_seed in 0..500 {
        let mut graph = random_marked(rng_seed);
        let plain = crate::dfs(&mut graph, &mut PlainStore::new(), &config);
        let outcome = search(&mut graph, &config);
        assert_eq!(
            steps(&outcome),
            steps(&plain),
            "rng_seed {rng_seed}: {graph:?}"
        );
        assert_eq!(outcome.reached, plain.reached);
        assert_eq!(outcome.figures.stored, plain.figures.stored);
        found += steps(&plain).len();
    }
    assert!(found > 100);
}
