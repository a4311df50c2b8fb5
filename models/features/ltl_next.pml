// The next operator: true of a run if something holds after its first step.
// Spin is built without it.
// differs: the next operator is accepted
// spinor: verdict holds
// spinor: stored 3
// spinor: transitions 3
// expect: verdict rejected
// expect: ltl next holds
// expect: ltl after_that violated
// expect: ltl counted holds
// spin: spin -o1 -o2 -o3 -a ltl_next.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

ltl next { X (x == 1) }
ltl after_that { X X (x == 2) }
ltl counted { X (x == 1) && X X (x == 1) }

active proctype A() { x++ }
