// Which processes an assertion in a loop is about depends on where the loop ends.
// expect: verdict violated
// expect: errors 3
// expect: stored 33
// expect: matched 16
// expect: transitions 49
// expect: atomic 14
// expect: depth 17
// spin: spin -o1 -o2 -o3 -a loop_assert_break.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], b[2];
byte n;
active [2] proctype P() { if :: f[_pid] = 1 :: b[_pid] = 1 fi; n++ }
active proctype Q() {
    byte i;
    atomic {
        n == 2 && f[0] + f[1] == 1 ->
        for (i : 0 .. 1) { if :: b[i] -> break :: else fi; assert(!f[i]) }
    }
}
