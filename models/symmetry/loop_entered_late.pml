// A loop that a `d_step` begins with has the counter as it was before.
// expect: verdict violated
// expect: errors 3
// expect: stored 39
// expect: matched 16
// expect: transitions 55
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a loop_entered_late.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], a[2];
byte n;
active [2] proctype P() { if :: a[_pid] = 1 :: skip fi; n++ }
active proctype Q() {
    byte i;
    n == 2 && a[0] + a[1] == 1 -> i = 1;
    d_step {
        L: do :: i < 2 -> f[i] = a[i]; i++ :: else -> break od;
        if :: n == 9 -> i = 0; goto L :: else fi
    };
    assert(f[0] + f[1] != 0)
}
