// Process numbers follow the text, also for init: here it is process 1.
// expect: verdict holds
// expect: errors 0
// expect: stored 121
// expect: matched 204
// expect: transitions 325
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a init_position.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte who[4];

active proctype First() { who[_pid] = 1; assert(_pid == 0) }

init { who[_pid] = 2; assert(_pid == 1) }

active [2] proctype Last() { who[_pid] = 3; assert(_pid >= 2) }
