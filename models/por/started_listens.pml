// W is started and listens within one move of S. Whether it takes the message depends on V.
// expect: verdict violated
// expect: errors 2
// expect: stored 14
// expect: matched 6
// expect: transitions 20
// expect: atomic 4
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a started_listens.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte h = 1;
chan c = [0] of { byte };
proctype W() { byte x; c ? eval(h) } // spinor: allow(unused-variable)
active proctype V() { h = 0 }
active proctype S() {
    atomic { run W(); if :: c ! 1 :: else -> assert(false) fi }
}
