// An atomic sequence loses control to a process with a higher priority: each
// job runs to its end before the next one is started.
// expect: verdict holds
// expect: errors 0
// expect: stored 23
// expect: matched 0
// expect: transitions 23
// expect: atomic 4
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a priority_in_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

proctype Job(byte n)
{
  x = x * 2 + n;
  x = x + 1
}

init {
  atomic {
    if
    :: run Job(0) priority 2
    :: run Job(1) priority 2
    fi;
    run Job(1) priority 7
  };
  assert(x == 8 || x == 10 || x == 4 || x == 6);
  x++
}
