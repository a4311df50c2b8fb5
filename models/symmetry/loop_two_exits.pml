// A loop over all processes that ends at the first one with something to tell, in one of two places:
// which it is depends on the order of the processes.
// expect: verdict violated
// expect: errors 3
// expect: stored 36
// expect: matched 16
// expect: transitions 52
// expect: atomic 8
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a loop_two_exits.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
bit f[2], b[2];
byte n;
active [2] proctype P() { if :: f[_pid] = 1 :: b[_pid] = 1 fi; n++ }
active proctype Q() {
    byte i;
    atomic {
        n == 2 && f[0] + f[1] == 1 ->
        for (i : 0 .. 1) { if :: f[i] -> goto A :: b[i] -> goto B :: else fi }
    };
    A: assert(false);
    B: skip
}
