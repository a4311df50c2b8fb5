// Dining philosophers that cannot starve together: the last philosopher takes
// the forks in the opposite order, so no circle of waiting can close. A count
// of the diners at each fork shows that no fork is ever used twice.
// expect: verdict holds
// expect: errors 0
// expect: stored 160
// expect: matched 234
// expect: transitions 394
// expect: atomic 23
// expect: depth 213
// spin: spin -o1 -o2 -o3 -a philosophers_fixed.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N 4

mtype = { take, put };

chan fork[N] = [0] of { mtype };
byte users[N];                  // philosophers that hold fork i

proctype Fork(byte id)
{
end:
  do
  :: fork[id] ? take -> fork[id] ? put
  od
}

proctype Philosopher(byte first; byte second)
{
  do
  :: fork[first] ! take;
     fork[second] ! take;

     d_step {
       users[first]++;
       users[second]++;
       assert(users[first] == 1 && users[second] == 1)
     };
     d_step {
       users[first]--;
       users[second]--
     };

     fork[second] ! put;
     fork[first] ! put
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run Fork(i);
      if
      :: i < N - 1  -> run Philosopher(i, i + 1)
      :: i == N - 1 -> run Philosopher(0, i)
      fi
    }
  }
}
