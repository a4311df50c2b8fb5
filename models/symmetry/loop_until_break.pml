// A loop over all processes that has done something when it ends before its last round: what it has
// done depends on the order of the processes.
// expect: verdict violated
// expect: errors 3
// expect: stored 35
// expect: matched 16
// expect: transitions 51
// expect: atomic 15
// expect: depth 19
// spin: spin -o1 -o2 -o3 -a loop_until_break.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], b[2], x;
byte n;
active [2] proctype P() { if :: f[_pid] = 1 :: b[_pid] = 1 fi; n++ }
active proctype Q() {
    byte i;
    atomic {
        n == 2 && f[0] + f[1] == 1 ->
        for (i : 0 .. 1) {
            if :: b[i] -> break :: else fi;
            if :: f[i] -> x = 1 :: else fi
        }
    };
    assert(!x)
}
