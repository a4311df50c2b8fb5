// An atomic loop over all processes is interrupted when the clause of its process becomes false.
// expect: verdict violated
// expect: errors 5
// expect: stored 33
// expect: matched 16
// expect: transitions 49
// expect: atomic 10
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a loop_loses_control.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], a[2];
byte n, m;
active [2] proctype P() { if :: a[_pid] = 1 :: skip fi; m++ }
active proctype Q() provided (n != 1) {
    byte i;
    atomic {
        m == 2 && a[0] + a[1] == 1 -> for (i : 0 .. 1) {
            f[i] = a[i];
            n = n + 1
        }
    }
}
active proctype R() { n == 1 -> assert(f[0] + f[1] != 1) }
