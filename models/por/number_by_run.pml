// Who is started first gets the smaller pid. Spin takes `run` for a step that nobody else has to do with:
// its reduction does not find the order in which A comes first.
// expect: verdict violated
// expect: errors 4
// expect: stored 25
// expect: matched 10
// expect: transitions 35
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a number_by_run.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype Child(byte who) { assert(who != 1 || _pid != 2) }

active proctype A() { run Child(1) }

active proctype B() { run Child(2) }
