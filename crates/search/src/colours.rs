//! Where a nested search has been: beside the states of one store, or in two stores.

use store::{Insert, Key, StateId, StateStore};

/// What the searches know about a copy of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Colour {
    /// Nothing.
    White,
    /// The first search is behind it: it is on its path.
    Cyan,
    /// The first search is done with it.
    Blue,
    /// The second search has been there.
    Red,
}

impl Colour {
    const ALL: [Colour; 4] = [Colour::White, Colour::Cyan, Colour::Blue, Colour::Red];
}

/// What the first search meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) id: StateId,
    /// What it was before.
    pub(crate) colour: Colour,
    /// Whether it was stored just now.
    pub(crate) is_stored: bool,
    /// Whether it is known to be an accepting state.
    pub(crate) accepts: bool,
}

/// What the second search meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Revisit {
    /// A state of the path of the first search: the cycle is closed.
    OnPath(StateId),
    /// A state to visit.
    Visit(StateId),
    /// A state where it has been.
    Known,
    /// A state where the first search has not been, because of its bound.
    Unknown,
}

/// The states and copies where the two searches have been.
pub(crate) trait Colours {
    /// Whether no state is taken for another.
    const EXACT: bool;
    /// Whether cyan states are told from blue ones.
    const KNOWS_PATH: bool;

    /// The states prepared next are mostly successors of this one.
    fn focus(&mut self, state: &[u8]);
    /// The key of a state that will be looked up, by the second search or the first.
    fn key(&mut self, state: &[u8], second: bool) -> Key;
    /// Ask for the memory that it takes.
    fn fetch(&self, key: Key, second: bool);
    /// Both at once.
    fn prepare(&mut self, state: &[u8], second: bool) -> Key {
        let key = self.key(state, second);
        self.fetch(key, second);
        key
    }
    /// The state with this key will be looked up soon.
    fn touch(&self, key: &mut Key, second: bool);
    /// What the first search would meet. None if the state is not known, or if it takes a
    /// meeting to tell.
    fn look(&mut self, state: &[u8], key: Key, copy: u16) -> Option<Visit>;
    /// Whether the second search has been in a state. Perhaps not if it takes a meeting to
    /// tell.
    fn is_done(&mut self, state: &[u8], key: Key, copy: u16) -> bool;
    /// The first search meets a state: a white one becomes cyan.
    fn visit(&mut self, state: &[u8], key: Key, copy: u16) -> Visit;
    /// A state is an accepting one. Only where there is one copy.
    fn accept(&mut self, id: StateId);
    /// The first search leaves a cyan state: it becomes blue.
    fn leave(&mut self, id: StateId, copy: u16);
    /// The second search begins in a blue state, which becomes red. Whether it was not.
    fn begin(&mut self, state: &[u8], id: StateId, copy: u16) -> bool;
    /// The second search begins in a cyan state. Whether it has not been there.
    fn begin_on_path(&mut self, state: &[u8], copy: u16) -> bool;
    /// The second search is done with the cyan state where it began, which becomes red.
    fn end_on_path(&mut self, id: StateId, copy: u16);
    /// The second search meets a state: a blue one becomes red.
    fn revisit(&mut self, state: &[u8], key: Key, copy: u16) -> Revisit;
    /// The memory in use.
    fn memory_bytes(&self) -> usize;
}

/// Two bits for each copy, in the note of the state. If there is but one copy, another bit
/// says whether the state is an accepting one.
pub(crate) struct Noted<'a, S> {
    pub(crate) store: &'a mut S,
}

/// The state is an accepting one.
const ACCEPTS: u8 = 1 << 2;

/// The bytes of a note for so many copies.
pub(crate) const fn note_bytes(copies: usize) -> usize {
    copies.div_ceil(4)
}

impl<S: StateStore> Noted<'_, S> {
    #[inline(always)]
    fn colour(&mut self, id: StateId, copy: u16) -> Colour {
        let byte = self.store.note(id)[usize::from(copy / 4)];
        Colour::ALL[usize::from(byte >> (2 * (copy % 4)) & 3)]
    }

    #[inline(always)]
    fn paint(&mut self, id: StateId, copy: u16, colour: Colour) {
        let byte = &mut self.store.note(id)[usize::from(copy / 4)];
        let shift = 2 * (copy % 4);
        *byte = *byte & !(3 << shift) | (colour as u8) << shift;
    }
}

impl<S: StateStore> Colours for Noted<'_, S> {
    const EXACT: bool = S::EXACT;
    const KNOWS_PATH: bool = true;

    #[inline]
    fn focus(&mut self, state: &[u8]) {
        self.store.focus(state);
    }

    #[inline(always)]
    fn key(&mut self, state: &[u8], _second: bool) -> Key {
        self.store.key(state)
    }

    #[inline(always)]
    fn fetch(&self, key: Key, _second: bool) {
        self.store.fetch(key);
    }

    #[inline]
    fn touch(&self, key: &mut Key, _second: bool) {
        self.store.touch(key);
    }

    #[inline]
    fn look(&mut self, state: &[u8], key: Key, copy: u16) -> Option<Visit> {
        let id = self.store.find(state, key)?;
        let accepts = self.store.note(id)[0] & ACCEPTS != 0;
        Some(Visit {
            id,
            colour: self.colour(id, copy),
            is_stored: false,
            accepts,
        })
    }

    #[inline]
    fn is_done(&mut self, state: &[u8], key: Key, copy: u16) -> bool {
        let id = self.store.find(state, key);
        id.is_some_and(|id| self.colour(id, copy) == Colour::Red)
    }

    #[inline]
    fn visit(&mut self, state: &[u8], key: Key, copy: u16) -> Visit {
        let insert = self.store.insert(state, key);
        let id = insert.id();
        let note = self.store.note(id);
        let accepts = note[0] & ACCEPTS != 0;
        let byte = &mut note[usize::from(copy / 4)];
        let shift = 2 * (copy % 4);
        let colour = Colour::ALL[usize::from(*byte >> shift & 3)];
        if colour == Colour::White {
            *byte |= (Colour::Cyan as u8) << shift;
        }
        Visit {
            id,
            colour,
            is_stored: insert.is_new(),
            accepts,
        }
    }

    fn accept(&mut self, id: StateId) {
        self.store.note(id)[0] |= ACCEPTS;
    }

    #[inline]
    fn leave(&mut self, id: StateId, copy: u16) {
        self.paint(id, copy, Colour::Blue);
    }

    fn begin(&mut self, _state: &[u8], id: StateId, copy: u16) -> bool {
        let is_new = self.colour(id, copy) != Colour::Red;
        self.paint(id, copy, Colour::Red);
        is_new
    }

    fn begin_on_path(&mut self, _state: &[u8], _copy: u16) -> bool {
        true
    }

    fn end_on_path(&mut self, id: StateId, copy: u16) {
        self.paint(id, copy, Colour::Red);
    }

    #[inline]
    fn revisit(&mut self, state: &[u8], key: Key, copy: u16) -> Revisit {
        let Some(id) = self.store.find(state, key) else {
            return Revisit::Unknown;
        };
        match self.colour(id, copy) {
            Colour::White => Revisit::Unknown,
            Colour::Cyan => Revisit::OnPath(id),
            Colour::Red => Revisit::Known,
            Colour::Blue => {
                self.paint(id, copy, Colour::Red);
                Revisit::Visit(id)
            }
        }
    }

    fn memory_bytes(&self) -> usize {
        self.store.memory_bytes()
    }
}

/// A store for each search. Nobody remembers which states are on the path.
pub(crate) struct TwoStores<'a, S> {
    pub(crate) first: &'a mut S,
    pub(crate) second: &'a mut S,
    /// Whether there is more than one copy, so that states are stored with its number.
    pub(crate) copies: bool,
    pub(crate) scratch: Vec<u8>,
}

/// Insert a copy of a state.
#[inline]
fn insert<S: StateStore>(
    store: &mut S,
    state: &[u8],
    key: Key,
    copy: Option<u16>,
    scratch: &mut Vec<u8>,
) -> Insert {
    let Some(copy) = copy else {
        return store.insert(state, key);
    };
    scratch.clear();
    scratch.extend_from_slice(state);
    scratch.extend_from_slice(&copy.to_le_bytes());
    let key = store.prepare(scratch);
    store.insert(scratch, key)
}

impl<S: StateStore> Colours for TwoStores<'_, S> {
    const EXACT: bool = S::EXACT;
    const KNOWS_PATH: bool = false;

    #[inline]
    fn focus(&mut self, state: &[u8]) {
        self.first.focus(state);
        self.second.focus(state);
    }

    #[inline]
    fn key(&mut self, state: &[u8], second: bool) -> Key {
        match second {
            true => self.second.key(state),
            false => self.first.key(state),
        }
    }

    #[inline]
    fn fetch(&self, key: Key, second: bool) {
        match second {
            true => self.second.fetch(key),
            false => self.first.fetch(key),
        }
    }

    #[inline]
    fn touch(&self, key: &mut Key, second: bool) {
        match second {
            true => self.second.touch(key),
            false => self.first.touch(key),
        }
    }

    #[inline]
    fn look(&mut self, state: &[u8], key: Key, _copy: u16) -> Option<Visit> {
        // With copies the key is not that of the state with its number.
        let id = match self.copies {
            true => None,
            false => self.first.find(state, key),
        };
        id.map(|id| Visit {
            id,
            colour: Colour::Blue,
            is_stored: false,
            accepts: false,
        })
    }

    #[inline]
    fn is_done(&mut self, state: &[u8], key: Key, _copy: u16) -> bool {
        !self.copies && self.second.contains(state, key)
    }

    #[inline]
    fn visit(&mut self, state: &[u8], key: Key, copy: u16) -> Visit {
        let copy = self.copies.then_some(copy);
        let insert = insert(self.first, state, key, copy, &mut self.scratch);
        Visit {
            id: insert.id(),
            // It may be cyan or red too: asked later, or found out by the second search.
            colour: match insert.is_new() {
                true => Colour::White,
                false => Colour::Blue,
            },
            is_stored: insert.is_new(),
            accepts: false,
        }
    }

    fn accept(&mut self, _id: StateId) {}

    #[inline]
    fn leave(&mut self, _id: StateId, _copy: u16) {}

    fn begin(&mut self, state: &[u8], _id: StateId, copy: u16) -> bool {
        let key = self.second.prepare(state);
        let copy = self.copies.then_some(copy);
        insert(self.second, state, key, copy, &mut self.scratch).is_new()
    }

    fn begin_on_path(&mut self, state: &[u8], copy: u16) -> bool {
        self.begin(state, StateId::from_bits(0), copy)
    }

    fn end_on_path(&mut self, _id: StateId, _copy: u16) {}

    #[inline]
    fn revisit(&mut self, state: &[u8], key: Key, copy: u16) -> Revisit {
        let copy = self.copies.then_some(copy);
        match insert(self.second, state, key, copy, &mut self.scratch) {
            Insert::New(id) => Revisit::Visit(id),
            Insert::Known(_) => Revisit::Known,
        }
    }

    fn memory_bytes(&self) -> usize {
        self.first.memory_bytes() + self.second.memory_bytes()
    }
}
