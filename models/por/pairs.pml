// N pairs of processes; the two of a pair write the same variable, and nobody
// else has to do with it.
// Follows: [001, ch. 2, Fig. 2 and Table 1].

#ifndef N
#define N 2
#endif

byte shared[N];

active [2 * N] proctype Writer()
{
  shared[_pid / 2] = _pid % 2
}
