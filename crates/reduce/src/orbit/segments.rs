//! Members in an order, and the permutations of segments of it.

use std::cmp::Ordering;

use model::symmetry::{Action, Member, SetId};

use super::sets;

/// Where the members of a state are: who was moved to which position.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrangement {
    /// By set and position: the member that is there now.
    members: Vec<Vec<u8>>,
    /// By set: the positions whose members can be exchanged.
    there: Vec<Vec<u8>>,
}

impl Arrangement {
    pub(super) fn new(action: &Action) -> Arrangement {
        let all = |set| (0..action.size(set) as u8).collect::<Vec<u8>>();
        Arrangement {
            members: sets(action).map(all).collect(),
            there: sets(action).map(all).collect(),
        }
    }

    /// Everybody is where he belongs.
    #[inline]
    pub(super) fn begin(&mut self, action: &Action, state: &[u8]) {
        for (set, (members, there)) in self.members.iter_mut().zip(&mut self.there).enumerate() {
            there.clear();
            for position in 0..members.len() as u8 {
                members[usize::from(position)] = position;
                let member = Member {
                    set: set as SetId,
                    position,
                };
                if action.is_there(member, state) {
                    there.push(position);
                }
            }
        }
    }

    /// The positions of a set whose members can be exchanged.
    pub(super) fn there(&self, set: SetId) -> &[u8] {
        &self.there[usize::from(set)]
    }

    /// Exchange the members at two positions.
    #[inline]
    pub(super) fn swap(&mut self, action: &Action, set: SetId, a: u8, b: u8, state: &mut [u8]) {
        self.members[usize::from(set)].swap(usize::from(a), usize::from(b));
        action.swap(set, usize::from(a), usize::from(b), state);
    }

    /// Where a member is now.
    pub(super) fn position_of(&self, member: Member) -> u8 {
        let members = &self.members[usize::from(member.set)];
        let position = members.iter().position(|m| *m == member.position);
        position.map_or(member.position, |position| position as u8)
    }

    /// Who is at a position now.
    pub(super) fn member_at(&self, set: SetId, position: u8) -> u8 {
        self.members[usize::from(set)][usize::from(position)]
    }

    fn copy_from(&mut self, other: &Arrangement) {
        for (own, others) in self.members.iter_mut().zip(&other.members) {
            own.copy_from_slice(others);
        }
    }

    /// Sort the members of a set by something that is read from the state for a position.
    pub(super) fn sort_by(
        &mut self,
        action: &Action,
        set: SetId,
        state: &mut [u8],
        order: impl Fn(&[u8], u8, u8) -> Ordering,
    ) {
        // Insertion: few members, mostly in order already.
        for end in 1..self.there(set).len() {
            let mut at = end;
            while at > 0 {
                let (a, b) = (self.there(set)[at - 1], self.there(set)[at]);
                if order(state, a, b).is_le() {
                    break;
                }
                self.swap(action, set, a, b, state);
                at -= 1;
            }
        }
    }

    /// Put the members of a set into the order of their colours, by member.
    #[inline]
    pub(super) fn sort_by_colour(
        &mut self,
        action: &Action,
        set: SetId,
        colours: &[u64],
        state: &mut [u8],
    ) {
        let colour = |arrangement: &Arrangement, at: u8| {
            colours[usize::from(arrangement.member_at(set, at))]
        };
        for first in 0..self.there(set).len() {
            let own = self.there(set)[first];
            let mut least = own;
            for &at in &self.there(set)[first + 1..] {
                if colour(self, at) < colour(self, least) {
                    least = at;
                }
            }
            if least != own {
                self.swap(action, set, own, least, state);
            }
        }
    }
}

/// The least vector so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    state: Vec<u8>,
    arrangement: Arrangement,
    /// Room for segments.
    pub(super) segments: Vec<Segment>,
}

impl Best {
    /// Begin with this one.
    pub(super) fn begin(&mut self, state: &[u8], arrangement: &Arrangement) {
        self.state.clear();
        self.state.extend_from_slice(state);
        if self.arrangement.members.len() != arrangement.members.len() {
            self.arrangement = arrangement.clone();
        }
        self.arrangement.copy_from(arrangement);
    }

    /// Keep this one if it is less.
    #[inline]
    pub(super) fn offer(&mut self, state: &[u8], arrangement: &Arrangement) {
        if *state < self.state[..] {
            self.state.copy_from_slice(state);
            self.arrangement.copy_from(arrangement);
        }
    }

    /// Take the least one.
    pub(super) fn take(&self, state: &mut [u8], arrangement: &mut Arrangement) {
        state.copy_from_slice(&self.state);
        arrangement.copy_from(&self.arrangement);
    }
}

/// Positions of a set within which members are permuted, from the first to before the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) set: SetId,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The segments of a set in which neighbours are the same.
pub(super) fn segments(
    set: SetId,
    count: usize,
    same: impl Fn(usize, usize) -> bool,
    found: &mut Vec<Segment>,
) {
    let mut from = 0;
    for to in 1..=count {
        if to < count && same(to - 1, to) {
            continue;
        }
        if to - from > 1 {
            found.push(Segment { set, from, to });
        }
        from = to;
    }
}

/// Replace a state by the least of the permutations of the segments in [`Best::segments`].
pub(super) fn least(
    action: &Action,
    arrangement: &mut Arrangement,
    best: &mut Best,
    state: &mut [u8],
) {
    if best.segments.is_empty() {
        return;
    }
    best.begin(state, arrangement);
    let all = std::mem::take(&mut best.segments);
    permute(action, &all, arrangement, best, state);
    best.segments = all;
    best.take(state, arrangement);
}

/// Offer the vectors of all permutations of segments.
///
/// Follows: [001 ch. 6, Fig. 4 and 5]: the permutations of a segment are made from one another by
/// transpositions, and the permutations of segments are combined by nesting.
///
/// Departs: the transpositions are those of Heap's algorithm.
fn permute(
    action: &Action,
    segments: &[Segment],
    arrangement: &mut Arrangement,
    best: &mut Best,
    state: &mut [u8],
) {
    let Some((first, rest)) = segments.split_first() else {
        best.offer(state, arrangement);
        return;
    };
    let length = first.to - first.from;
    heap(action, *first, length, rest, arrangement, best, state);
}

/// Permute the first members of a segment in all ways, and whatever comes behind it each time. As
/// deep as there are members.
fn heap(
    action: &Action,
    segment: Segment,
    length: usize,
    rest: &[Segment],
    arrangement: &mut Arrangement,
    best: &mut Best,
    state: &mut [u8],
) {
    if length <= 1 {
        permute(action, rest, arrangement, best, state);
        return;
    }
    for round in 0..length {
        heap(action, segment, length - 1, rest, arrangement, best, state);
        if round + 1 < length {
            let other = if length.is_multiple_of(2) { round } else { 0 };
            let [a, b] =
                [other, length - 1].map(|at| arrangement.there(segment.set)[segment.from + at]);
            arrangement.swap(action, segment.set, a, b, state);
        }
    }
}
