//! Counting crossings between two layers.
//!
//! Follows: [Barth, Jünger, Mutzel 2002]: crossings of segments that are sorted by their
//! upper ends are inversions of their lower ends, which a tree of sums counts.
//!
//! Departs: the tree is a Fenwick tree.

/// The number of pairs of segments that cross. A segment is a pair of positions, in the
/// upper and in the lower layer, which has `width` vertices.
pub fn crossings(segments: &mut [(usize, usize)], width: usize) -> usize {
    segments.sort_unstable();
    let mut tree = vec![0; width + 1];
    let mut crossings = 0;
    for (seen, &(_, lower)) in segments.iter().enumerate() {
        // All seen so far, without those that end here or further left.
        let mut not_right = 0;
        let mut at = lower + 1;
        while at > 0 {
            not_right += tree[at];
            at &= at - 1;
        }
        crossings += seen - not_right;
        let mut at = lower + 1;
        while at <= width {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    crossings
}

/// The crossings between the segments of two vertices that stand side by side, `left` to
/// the left of `right`. Both are the sorted positions of the other ends.
pub fn crossings_of_pair(left: &[usize], right: &[usize]) -> usize {
    let mut crossings = 0;
    let mut smaller = 0;
    for &end in left {
        while smaller < right.len() && right[smaller] < end {
            smaller += 1;
        }
        crossings += smaller;
    }
    crossings
}

#[cfg(test)]
mod tests {
    use super::super::testing::Rng;
    use super::*;

    fn slow_crossings(segments: &[(usize, usize)]) -> usize {
        let crossing = |(a, b): (&(usize, usize), &(usize, usize))| a.0 < b.0 && a.1 > b.1;
        let pairs = segments
            .iter()
            .flat_map(|a| segments.iter().map(move |b| (a, b)));
        pairs.filter(|&pair| crossing(pair)).count()
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let width = 1 + rng.below(9);
            let mut segments: Vec<(usize, usize)> = (0..rng.below(20))
                .map(|_| (rng.below(9), rng.below(width)))
                .collect();
            let expected = slow_crossings(&segments);
            assert_eq!(crossings(&mut segments, width), expected, "{segments:?}");
        }
    }

    #[test]
    fn a_pair_agrees_with_the_definition() {
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let mut ends = |count| {
                let mut ends: Vec<usize> = (0..count).map(|_| rng.below(6)).collect();
                ends.sort_unstable();
                ends
            };
            let (left, right) = (ends(3), ends(4));
            let segments = left.iter().map(|&e| (0, e));
            let segments: Vec<_> = segments.chain(right.iter().map(|&e| (1, e))).collect();
            assert_eq!(crossings_of_pair(&left, &right), slow_crossings(&segments));
        }
    }
}
