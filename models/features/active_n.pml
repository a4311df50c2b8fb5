// Several instances of a proctype from the start, numbered in textual order.
// expect: verdict holds
// expect: errors 0
// expect: stored 72
// expect: matched 43
// expect: transitions 115
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a active_n.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte order[3];
byte n;

active [2] proctype First()  { assert(_pid < 2);  d_step { order[_pid] = n; n++ } }
active     proctype Second() { assert(_pid == 2); d_step { order[_pid] = n; n++ } }
