//! Strongly connected components.

use checker::confirm::components::components;

#[test]
fn components_are_cycles_and_single_nodes() {
    let edges = |targets: &[&[usize]]| -> Vec<Vec<(usize, u32)>> {
        let row = |targets: &&[usize]| targets.iter().map(|&to| (to, 0)).collect();
        targets.iter().map(row).collect()
    };
    let found = components(&edges(&[&[1, 3], &[2], &[0, 3], &[4], &[3, 5], &[]]));
    assert_eq!(found[0], found[1]);
    assert_eq!(found[1], found[2]);
    assert_eq!(found[3], found[4]);
    assert_ne!(found[0], found[3]);
    assert_ne!(found[5], found[4]);
}
