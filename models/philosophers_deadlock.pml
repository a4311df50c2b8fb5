// Dining philosophers with forks as processes. A philosopher takes a fork by
// a rendezvous with it, first the left one, then the right one. When all of
// them hold their left fork nobody can go on: an invalid end state.
// expect: verdict violated
// expect: errors 1
// expect: stored 119
// expect: matched 223
// expect: transitions 342
// expect: atomic 19
// expect: depth 169
// spin: spin -o1 -o2 -o3 -a philosophers_deadlock.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 4

mtype = { take, put };

chan fork[N] = [0] of { mtype };

proctype Fork(byte id)
{
end:                            // a fork may lie on the table for ever
  do
  :: fork[id] ? take -> fork[id] ? put
  od
}

proctype Philosopher(byte left; byte right)
{
  do
  :: fork[left] ! take;
     fork[right] ! take;
     // eat
     fork[right] ! put;
     fork[left] ! put
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run Fork(i);
      run Philosopher(i, (i + 1) % N)
    }
  }
}
