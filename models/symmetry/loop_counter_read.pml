// Behind a loop that ends early its counter tells which process it ended at.
// expect: verdict violated
// expect: errors 3
// expect: stored 35
// expect: matched 16
// expect: transitions 51
// expect: atomic 13
// expect: depth 17
// spin: spin -o1 -o2 -o3 -a loop_counter_read.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2];
byte n;
active [2] proctype P() { if :: f[_pid] = 1 :: skip fi; n++ }
active proctype Q() {
    byte i;
    atomic {
        n == 2 && f[0] + f[1] == 1 -> for (i : 0 .. 1) {
            if :: f[i] -> break :: else fi
        }
    };
    assert(i != 0)
}
