// Spin takes `run` for a step that nobody else has to do with, though it changes _nr_pr: its reduction
// does not find that B may look before A has started anybody.
// expect: verdict violated
// expect: errors 1
// expect: stored 6
// expect: matched 1
// expect: transitions 7
// expect: atomic 0
// expect: depth 3
// spin: spin -o1 -o2 -o3 -a count_by_run.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype Child() { end: false }

active proctype A() { run Child() }

active proctype B() { assert(_nr_pr > 2) }
