// enabled() belongs in a claim: here it observes that at least one of the
// workers can always move. The claim alternates with the system.
// product: spin -o1 -o2 -o3 -a enabled_in_claim.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 4
// expect: transitions 19
// expect: atomic 6
// expect: depth 11
// expect: never holds
// expect: product errors 0
// expect: product stored 15
// expect: product matched 4
// expect: product transitions 19
// expect: product atomic 6
// expect: product depth 20
// spin: spin -o1 -o2 -o3 -a enabled_in_claim.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool lock;
byte uses;

active [2] proctype Worker()
{
  do
  :: atomic { !lock -> lock = true };
     uses = (uses + 1) % 3;
     lock = false
  od
}

never {
  do
  :: enabled(0) || enabled(1)
  :: !enabled(0) && !enabled(1) -> break
  od
}
