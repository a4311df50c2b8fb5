// The same, where the end is one of two choices.
// expect: verdict violated
// expect: errors 3
// expect: stored 45
// expect: matched 16
// expect: transitions 61
// expect: atomic 26
// expect: depth 19
// spin: spin -o1 -o2 -o3 -a loop_short_choice.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], a[2], e;
byte n;
active [2] proctype P() { if :: a[_pid] = 1 :: skip fi; n++ }
active proctype Q() {
    byte i;
    atomic {
        n == 2 && a[0] + a[1] == 1 -> i = 0;
        do
        :: i < 2 -> f[i] = a[i]; i++
        :: i == 1 -> e = 1; break
        :: i >= 2 -> break
        od
    };
    assert(!e || f[0] + f[1] != 1)
}
