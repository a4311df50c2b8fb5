// An array of channels: one initialiser creates a channel for each element.
// expect: verdict holds
// expect: errors 0
// expect: stored 54
// expect: matched 54
// expect: transitions 108
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a array_channels.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 3

chan line[N] = [1] of { byte };

active [N] proctype Pass()
{
  byte x;

  line[(_pid + 1) % N] ! _pid;
  line[_pid] ? x;
  assert(x == (_pid + N - 1) % N)
}
