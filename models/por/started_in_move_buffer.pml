// The same with a message to a channel instead of a variable.
// expect: verdict violated
// expect: errors 4
// expect: stored 16
// expect: matched 8
// expect: transitions 24
// expect: atomic 6
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a started_in_move_buffer.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte g; // spinor: allow(unused-variable)
chan d = [0] of { byte };
chan e = [1] of { byte };
proctype W() { byte x; atomic { d ? x; e ! 1 } }
active proctype T() { if :: nempty(e) -> skip :: else -> assert(false) fi }
active proctype S() { atomic { run W(); d ! 1 } }
