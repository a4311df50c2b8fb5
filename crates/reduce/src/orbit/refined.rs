//! Representatives by refinement: members that the state tells apart need not be permuted.
//!
//! Follows: the canonisers of graphs, in the manner of McKay's *Practical graph isomorphism*. Each
//! member gets a colour: a number that depends on what belongs to it, and not on its name. Then
//! colours are refined by how members stand to each other: which of them a variable, a message or an
//! element of a table names, and the colours of those. When all colours are different they are the
//! order of the members, and that is the representative.
//!
//! Members that still have the same colour are mostly *twins*: exchanging them leaves the state as
//! it is, so their order does not matter. Otherwise each of them in turn is given a colour of its
//! own, colours are refined again, and the least of the vectors that come out is taken.
//!
//! Why it is canonical: colours are computed in the same way for all states of an orbit, so
//! members that a permutation maps to each other have the same colour. Each decision is made by
//! colours alone, or all ways are tried. Two things that by chance have the same hash have the same
//! colour, and are told apart by trying.

use model::symmetry::{Action, Held, Member, Name, SetId};

use super::segments::{Arrangement, Best};
use super::sets;

/// Finds representatives by refinement.
#[derive(Clone, Debug)]
pub(super) struct Refiner {
    /// Colours of the members of all sets, one row for each member that was singled out.
    levels: Vec<Vec<u64>>,
    next: Vec<u64>,
    sorted: Vec<u64>,
    /// Where the members of a set begin.
    starts: Vec<usize>,
    /// A vector on its way, and the order of its members.
    state: Vec<u8>,
    order: Arrangement,
    has_best: bool,
}

/// What was found about colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    /// All are different.
    None,
    /// Several members of a set have this colour, the least that several have.
    Of(SetId, u64),
}

impl Refiner {
    pub(super) fn new(action: &Action) -> Refiner {
        let mut starts = vec![0];
        for set in sets(action) {
            starts.push(starts[usize::from(set)] + action.size(set));
        }
        let count = starts.last().copied().unwrap_or(0);
        Refiner {
            levels: vec![vec![0; count]],
            next: vec![0; count],
            sorted: Vec::new(),
            starts,
            state: Vec::new(),
            order: Arrangement::default(),
            has_best: false,
        }
    }

    /// Replace a state by its representative.
    #[inline]
    pub(super) fn represent(
        &mut self,
        action: &Action,
        arrangement: &mut Arrangement,
        best: &mut Best,
        state: &mut [u8],
    ) {
        self.colour(action, arrangement, state);
        if self.tie(action, arrangement, 0) == Tie::None {
            self.arrange(action, arrangement, 0, state);
            return;
        }
        self.has_best = false;
        self.search(action, arrangement, best, 0, state);
        if self.has_best {
            best.take(state, arrangement);
        }
    }

    /// Give each member a colour from what belongs to it alone.
    #[inline]
    fn colour(&mut self, action: &Action, arrangement: &Arrangement, state: &[u8]) {
        for set in sets(action) {
            let start = self.starts[usize::from(set)];
            for position in 0..action.size(set) as u8 {
                // Those that have ended stay where they are.
                self.levels[0][start + usize::from(position)] = mix(u64::from(position), 1);
            }
            for &position in arrangement.there(set) {
                let ranges = action.plain(Member { set, position });
                let mut colour = u64::from(set);
                for &(offset, length) in ranges {
                    colour = hash(colour, &state[offset as usize..][..length as usize]);
                }
                self.levels[0][start + usize::from(position)] = colour;
            }
        }
    }

    fn row(&self, member: Member) -> usize {
        self.starts[usize::from(member.set)] + usize::from(member.position)
    }

    /// The first colour that several members have.
    #[inline]
    fn tie(&mut self, action: &Action, arrangement: &Arrangement, level: usize) -> Tie {
        for set in sets(action) {
            let start = self.starts[usize::from(set)];
            self.sorted.clear();
            let there = arrangement.there(set).iter();
            let colours = there.map(|at| self.levels[level][start + usize::from(*at)]);
            self.sorted.extend(colours);
            self.sorted.sort_unstable();
            if let Some(pair) = self.sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Tie::Of(set, pair[0]);
            }
        }
        Tie::None
    }

    /// The number of colours.
    fn count(&mut self, level: usize) -> usize {
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.levels[level]);
        self.sorted.sort_unstable();
        self.sorted.dedup();
        self.sorted.len()
    }

    /// Refine colours by how members stand to each other, until there are no more.
    fn refine(&mut self, action: &Action, level: usize, state: &[u8]) {
        let mut count = self.count(level);
        loop {
            self.next.copy_from_slice(&self.levels[level]);
            for relation in action.relations() {
                let Some(held) = relation.value(action, state) else {
                    continue;
                };
                let shape = u64::from(relation.shape());
                let owners = relation.owners();
                let mut all = mix(shape, 2);
                for owner in owners {
                    all = mix(all, self.levels[level][self.row(*owner)]);
                }
                all = match held {
                    Held::Number(number) => mix(all, u64::from(number as u32)),
                    Held::Name(Name { member, role }) => {
                        let itself = owners.contains(&member);
                        let named = mix(all, 20 + role.index() as u64);
                        mix(
                            named,
                            self.levels[level][self.row(member)] ^ u64::from(itself),
                        )
                    }
                };
                let repeated = owners.len() == 2 && owners[0] == owners[1];
                all = mix(all, u64::from(repeated));
                for (role, owner) in owners.iter().enumerate() {
                    let row = self.row(*owner);
                    self.next[row] = self.next[row].wrapping_add(mix(all, 10 + role as u64));
                }
                if let Held::Name(Name { member, .. }) = held {
                    let row = self.row(member);
                    self.next[row] = self.next[row].wrapping_add(mix(all, 5));
                }
            }
            std::mem::swap(&mut self.levels[level], &mut self.next);
            let now = self.count(level);
            if now <= count {
                return;
            }
            count = now;
        }
    }

    /// Put the members into the order of their colours.
    fn arrange(
        &self,
        action: &Action,
        arrangement: &mut Arrangement,
        level: usize,
        state: &mut [u8],
    ) {
        for set in sets(action) {
            let colours = &self.levels[level][self.starts[usize::from(set)]..];
            arrangement.sort_by_colour(action, set, colours, state);
        }
    }

    /// Refine, and try all ways where that does not decide. As deep as there are members.
    fn search(
        &mut self,
        action: &Action,
        arrangement: &mut Arrangement,
        best: &mut Best,
        level: usize,
        state: &mut [u8],
    ) {
        self.refine(action, level, state);
        while let Tie::Of(set, colour) = self.tie(action, arrangement, level) {
            if !self.are_twins(action, arrangement, (set, colour), level, state) {
                self.single_out(action, arrangement, best, (set, colour), level, state);
                return;
            }
            let start = self.starts[usize::from(set)];
            // By rank, so that the new colours are the same in all states of the orbit.
            let mut rank = 100;
            for &at in arrangement.there(set) {
                let own = &mut self.levels[level][start + usize::from(at)];
                if *own == colour {
                    *own = mix(colour, rank);
                    rank += 1;
                }
            }
            self.refine(action, level, state);
        }
        if level == 0 {
            self.arrange(action, arrangement, level, state);
            return;
        }
        let mut vector = std::mem::take(&mut self.state);
        vector.clear();
        vector.extend_from_slice(state);
        let mut order = std::mem::take(&mut self.order);
        order.clone_from(arrangement);
        self.arrange(action, &mut order, level, &mut vector);
        match std::mem::replace(&mut self.has_best, true) {
            false => best.begin(&vector, &order),
            true => best.offer(&vector, &order),
        }
        (self.state, self.order) = (vector, order);
    }

    /// Whether exchanging members of a colour leaves the state as it is.
    fn are_twins(
        &mut self,
        action: &Action,
        arrangement: &Arrangement,
        (set, colour): (SetId, u64),
        level: usize,
        state: &[u8],
    ) -> bool {
        let start = self.starts[usize::from(set)];
        let colours = &self.levels[level][start..];
        let mut vector = std::mem::take(&mut self.state);
        vector.clear();
        vector.extend_from_slice(state);
        let there = arrangement.there(set).iter();
        let mut last = None;
        let mut twins = true;
        for &at in there.filter(|at| colours[usize::from(**at)] == colour) {
            if let Some(last) = last {
                action.swap(set, usize::from(last), usize::from(at), &mut vector);
                twins &= vector == state;
                if !twins {
                    break;
                }
            }
            last = Some(at);
        }
        self.state = vector;
        twins
    }

    /// Give each member of a colour in turn another one, and go on from there.
    fn single_out(
        &mut self,
        action: &Action,
        arrangement: &mut Arrangement,
        best: &mut Best,
        (set, colour): (SetId, u64),
        level: usize,
        state: &mut [u8],
    ) {
        if self.levels.len() == level + 1 {
            self.levels.push(self.levels[level].clone());
        }
        let start = self.starts[usize::from(set)];
        for number in 0..arrangement.there(set).len() {
            let at = usize::from(arrangement.there(set)[number]);
            if self.levels[level][start + at] != colour {
                continue;
            }
            let (above, below) = self.levels.split_at_mut(level + 1);
            below[0].copy_from_slice(&above[level]);
            below[0][start + at] = mix(colour, 3);
            self.search(action, arrangement, best, level + 1, state);
        }
    }
}

/// Bring two numbers together.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    product ^ product >> 32
}

/// Add bytes to a hash.
#[inline]
fn hash(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    let mut word = [0; 8];
    let rest = chunks.remainder();
    word[..rest.len()].copy_from_slice(rest);
    mix(hash, u64::from_le_bytes(word))
}
