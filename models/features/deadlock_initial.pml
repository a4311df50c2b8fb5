// Nothing can move from the start: the initial state is an invalid end state.
// expect: verdict violated
// expect: errors 1
// expect: stored 1
// expect: matched 0
// expect: transitions 1
// expect: atomic 0
// expect: depth 0
// spin: spin -o1 -o2 -o3 -a deadlock_initial.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool never_set;

active [2] proctype Wait() { never_set; assert(false) }
