// N pairs of processes; the two of a pair write the same variable, and nobody
// else has to do with it.
// Follows: [001, ch. 2, Fig. 2 and Table 1].

#ifndef N
#define N 2
#endif

byte shared[N];

active [N] proctype Zero()
{
  shared[_pid] = 0
}

active [N] proctype One()
{
  shared[_pid - N] = 1
}
