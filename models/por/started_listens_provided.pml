// The same, where it depends on a clause whether W listens.
// expect: verdict violated
// expect: errors 4
// expect: stored 13
// expect: matched 4
// expect: transitions 17
// expect: atomic 4
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a started_listens_provided.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte h = 1;
chan c = [0] of { byte };
proctype W() provided (h) { byte x; c ? x }
active proctype V() { h = 0; false }
active proctype S() {
    atomic { run W(); if :: c ! 1 :: else -> assert(false) fi }
}
