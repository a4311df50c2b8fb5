// W is started and takes a message in one and the same move of S, so this move writes g.
// expect: verdict violated
// expect: errors 4
// expect: stored 19
// expect: matched 8
// expect: transitions 27
// expect: atomic 3
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a started_in_move.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte g;
chan d = [0] of { byte };
proctype W() { d ? g }
active proctype T() { byte x; x = g; assert(x == 1) }
active proctype S() { atomic { run W(); d ! 1 } }
