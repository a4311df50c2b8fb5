// A jump into a loop over all processes leaves some of them out.
// expect: verdict violated
// expect: errors 3
// expect: stored 42
// expect: matched 17
// expect: transitions 59
// expect: atomic 32
// expect: depth 19
// spin: spin -o1 -o2 -o3 -a loop_entered_inside.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], a[2];
byte n;
active [2] proctype P() { if :: a[_pid] = 1 :: skip fi; n++ }
active proctype Q() {
    byte i;
    bit e;
    atomic {
        n == 2 && a[0] + a[1] == 1 ->
        if :: i = 0 :: e = 1; i = 1; goto mid fi;
        do :: i < 2 -> mid: f[i] = a[i]; i++ :: else -> break od
    };
    assert(!e || f[0] + f[1] != 0)
}
