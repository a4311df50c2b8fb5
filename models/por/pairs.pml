// N pairs of processes; the two of a pair write the same variable, and nobody
// else has to do with it.
// Follows: [001, ch. 2, Fig. 2 and Table 1].
// expect: verdict holds
// expect: errors 0
// expect: stored 60
// expect: matched 43
// expect: transitions 103
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a pairs.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 2
#endif

byte shared[N];

active [2 * N] proctype Writer()
{
  shared[_pid / 2] = _pid % 2
}
