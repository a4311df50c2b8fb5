// Dining philosophers, the forks being messages: a place on the table is a
// channel with room for one fork. A waiter lets at most N - 1 philosophers sit
// down at the same time, which is enough to rule out a deadlock.
// expect: verdict holds
// expect: errors 0
// expect: stored 47899
// expect: matched 153095
// expect: transitions 200994
// expect: atomic 0
// expect: depth 6015
// spin: spin -o1 -o2 -o3 -a philosophers_buffered.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 5

chan place[N] = [1] of { bit };
chan seats    = [N] of { bit };     // one message per free seat
byte eating;

active [N] proctype Philosopher()
{
  byte right = (_pid + 1) % N;

  place[_pid] ! 1;                  // lay my fork
  if
  :: _pid > 0 -> seats ! 1          // all but one bring a chair
  :: else
  fi;

  do
  :: seats ? 1;
     place[_pid] ? 1;
     place[right] ? 1;

     eating++;
     assert(eating <= N / 2);       // each diner needs two forks
     eating--;

     place[_pid] ! 1;
     place[right] ! 1;
     seats ! 1
  od
}
