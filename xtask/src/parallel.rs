//! Works on a list with several threads and hands the results over in order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many threads this machine runs at the same time.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Calls `work` on every item and then `emit` on every result, in the order of the items.
///
/// Results are emitted as soon as all earlier ones are, so a long list shows its progress.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut emit: impl FnMut(&T, R),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                // Relaxed: the counter only hands out indices, the channel orders the results.
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                emit(&items[due], result);
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_keep_the_order_of_the_items() {
        for jobs in [0, 1, 3] {
            let items: Vec<u64> = (0..20).collect();
            let mut seen = Vec::new();
            let work = |item: &u64| {
                thread::sleep(Duration::from_millis(item % 3));
                item * 2
            };
            in_order(&items, jobs, work, |item, result| {
                seen.push((*item, result));
            });
            let expected: Vec<_> = items.iter().map(|item| (*item, item * 2)).collect();
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn nothing_to_do() {
        in_order(&[], 2, |item: &u8| *item, |_, _| unreachable!());
    }
}
