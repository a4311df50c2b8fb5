// Dining philosophers, the forks being messages: a place on the table is a
// channel with room for one fork, and on the fork stands who used it last. A
// waiter with a bowl of tickets lets at most N - 1 philosophers sit down at the
// same time, which is enough to rule out a deadlock.
// expect: verdict holds
// expect: errors 0
// expect: stored 73483
// expect: matched 158411
// expect: transitions 231894
// expect: atomic 0
// expect: depth 16841
// spin: spin -o1 -o2 -o3 -a philosophers_buffered.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 4
#endif

chan place[N] = [1] of { byte };
chan tickets  = [N - 1] of { bit };
byte eating;

active [N] proctype Philosopher()
{
  byte right = (_pid + 1) % N;
  byte last;                        // the last user of the fork in the hand

  place[_pid] ! _pid;               // lay my fork
  if
  :: _pid > 0 -> tickets ! 1        // all but one bring a ticket
  :: else
  fi;

  do
  :: tickets ? 1;
     place[_pid] ? last;
     assert(last == _pid || last == (_pid + N - 1) % N);
     place[right] ? last;
     assert(last == _pid || last == right);
     eating++;
     assert(eating <= N / 2);
     eating--;
     place[right] ! _pid;
     place[_pid] ! _pid;
     last = 0;
     tickets ! 1
  od
}
