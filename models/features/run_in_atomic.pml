// Processes started in an atomic sequence do not move before it ends.
// expect: verdict holds
// expect: errors 0
// expect: stored 58
// expect: matched 42
// expect: transitions 100
// expect: atomic 5
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a run_in_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte started, x;

proctype Child(byte n)
{
  assert(started == 3);
  x = x * 2 + n
}

init {
  atomic {
    started++; run Child(0);
    started++; run Child(1);
    started++; run Child(1)
  }
}
