// A loop that ends when its counter has some value does not go through all processes.
// expect: verdict violated
// expect: errors 3
// expect: stored 37
// expect: matched 16
// expect: transitions 53
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a loop_short.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], a[2];
byte n;
active [2] proctype P() { if :: a[_pid] = 1 :: skip fi; n++ }
active proctype Q() {
    byte i;
    n == 2 && a[0] + a[1] == 1 ->
    d_step { i = 0; do :: i == 1 -> break :: i < 2 -> f[i] = a[i]; i++ od };
    assert(f[0] + f[1] != 1)
}
