//! Saving and resuming a breadth-first search.

use std::io;

use space::NextState;
use store::StateStore;

use super::Bfs;
use super::sleep::Sleepers;
use crate::checkpoint::wire::{get, put};
use crate::checkpoint::{self, SearchKind};
use crate::links::Links;
use crate::queue::Queue;
use crate::{Checkpoint, ResumeError};

impl<M: NextState, S: StateStore> Bfs<'_, M, S> {
    /// Save the search, between two states and with nothing gathered.
    pub(super) fn save(&self) -> io::Result<()> {
        checkpoint::write(SearchKind::BreadthFirst, &self.accounting, |out| {
            for number in [self.expanded, self.layer, self.layer_end] {
                put(out, number)?;
            }
            self.links.save(out)?;
            self.sleepers.save(out)?;
            self.queue.save(out)?;
            self.store.save(out)
        })
    }

    /// Bring the search to where it was.
    pub(super) fn restore(&mut self, from: &Checkpoint<'_>) -> Result<(), ResumeError> {
        let reads_store = self.reads_store();
        let Bfs {
            store,
            accounting,
            queue,
            links,
            sleepers,
            last,
            expanded,
            layer_end,
            layer,
            ..
        } = self;
        checkpoint::read(SearchKind::BreadthFirst, from, accounting, |input| {
            for number in [&mut *expanded, layer, layer_end] {
                *number = get(input)?;
            }
            *links = Links::restore(input)?;
            *sleepers = Sleepers::restore(input)?;
            *queue = Queue::restore(input)?;
            store.restore(input)?;
            Ok(())
        })?;
        if reads_store {
            for _ in 0..*expanded {
                *last = store.next_id(*last);
            }
        }
        self.looked_up = self.expanded;
        Ok(())
    }
}
