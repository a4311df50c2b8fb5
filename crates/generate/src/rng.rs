//! A small pseudo-random number generator, the same on every machine.
//!
//! Follows: SplitMix64, G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom number
//! generators*, OOPSLA 2014.

/// A stream of pseudo-random numbers fixed by its seed.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of `seed`. Neighbouring seeds give unrelated streams.
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`. The modulo bias is irrelevant for such small bounds.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing to choose from");
        (self.bits() % bound as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, each as likely as the others.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items with a weight, each as likely as its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut rest = self.below(total);
        for &(weight, item) in items {
            if rest < weight {
                return item;
            }
            rest -= weight;
        }
        unreachable!("the weights sum up to the total")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_depends_on_the_seed_alone() {
        let (mut a, mut b, mut c) = (Rng::new(7), Rng::new(7), Rng::new(8));
        let of = |rng: &mut Rng| (0..8).map(|_| rng.bits()).collect::<Vec<_>>();
        let first = of(&mut a);
        assert_eq!(first, of(&mut b));
        assert_ne!(first, of(&mut c));
    }

    #[test]
    fn weights_of_zero_are_never_chosen() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            assert_eq!(rng.weighted(&[(0, 'a'), (3, 'b'), (0, 'c')]), 'b');
        }
    }
}
