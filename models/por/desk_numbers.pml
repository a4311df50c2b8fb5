// Whose channel is made first gets the smaller number, and the clerk looks at it: only one of the two
// orders in which the clerks are hired violates the assertion.
// expect: verdict violated
// expect: errors 3
// expect: stored 24
// expect: matched 25
// expect: transitions 49
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a desk_numbers.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype Clerk(byte who) {
  chan desk = [1] of { bit };

  assert(who != 1 || desk != 2);
  do
  :: who = 0
  od
}

active proctype Lower() { run Clerk(2) }

active proctype Upper() { run Clerk(1) }
