// A number that is cut to the size of its variable names a process.
// expect: verdict violated
// expect: errors 4
// expect: stored 17
// expect: matched 4
// expect: transitions 21
// expect: atomic 6
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a cut_to_name.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte who = 9, ord[2], n = 1;
active [2] proctype P() {
    atomic { ord[_pid] = n; n++ };
    who == _pid -> assert(ord[_pid] != 1)
}
active proctype Q() { atomic { n == 3 -> who = 256 } } // spinor: allow(constant-truncation)
