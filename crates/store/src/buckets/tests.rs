use super::*;

/// Numbers of 32 bits under a place of 32 bits.
#[derive(Default)]
struct Numbers;

impl Slots for Numbers {
    type Entry = u64;
    fn count(&self) -> usize {
        8
    }
    fn get(&self, line: &Line, slot: usize) -> u64 {
        word(line, 8 * slot)
    }
    fn put(&self, line: &mut Line, slot: usize, entry: u64) {
        line[8 * slot..][..8].copy_from_slice(&entry.to_le_bytes());
    }
    fn is_empty(&self, line: &Line, slot: usize) -> bool {
        self.get(line, slot) == 0
    }
    fn place(&self, entry: u64) -> u32 {
        (entry >> 32) as u32
    }
    fn hits(&self, line: &Line, probe: u64) -> u32 {
        let equal = |&slot: &usize| self.get(line, slot) == probe;
        (0..8).filter(equal).fold(0, |set, slot| set | 1 << slot)
    }
}

/// The numbers 1..=n, under hashes that `hash` gives them, are all found again.
fn check(n: u64, hash: impl Fn(u64) -> u64) {
    let mut table: Buckets<Numbers> = Buckets::default();
    let place = |n| (hash(n) >> (32 - SEGMENT_BITS)) as u32;
    let entry = |n| u64::from(place(n)) << 32 | n;
    for n in 1..=n {
        table.prefetch(hash(n), place(n));
        table.make_room(hash(n));
        let vacancy = table.find(hash(n), entry(n), |_| true);
        table.fill(vacancy.unwrap_err(), entry(n));
    }
    for n in 1..=n {
        let found = table.find(hash(n), entry(n), |_| true);
        assert_eq!(found.unwrap().0, entry(n));
    }
    let mut all: Vec<u64> = table.entries().map(|(_, e)| e & 0xffff_ffff).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq(1..=n));
    let buckets: u32 = table.segments.iter().map(|s| s.buckets).sum();
    assert_eq!(table.count, buckets as usize);
    let mut reserved: Buckets<Numbers> = Buckets::default();
    reserved.reserve(n);
    let room = reserved.segments.iter().map(|s| u64::from(s.limit)).sum();
    assert!(
        (n..n + n / 16 + 1024 * 40).contains(&room),
        "room for {room} instead of {n}"
    );
    for (_, e) in table.entries() {
        let hash = hash(e & 0xffff_ffff);
        reserved.make_room(hash);
        let vacancy = reserved.find(hash, e, |_| true);
        reserved.fill(vacancy.unwrap_err(), e);
    }
    assert_eq!(reserved.entries().count() as u64, n);
}

#[test]
fn spread_hashes() {
    check(200_000, |n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
}

#[test]
fn few_entries() {
    check(1, |n| n << 60);
    check(10, |n| n << 60);
}

#[test]
fn equal_hashes() {
    check(3000, |_| 0);
    check(3000, |_| u64::MAX);
    check(3000, |_| u64::MAX / 64 * 31);
}

#[test]
fn one_segment() {
    check(30_000, |n| {
        n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> SEGMENT_BITS
    });
}
