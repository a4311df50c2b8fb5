// Dining philosophers at a table of N forks; a fork is a process, and it is
// taken and put back by a handshake. The last philosopher takes the forks in
// the opposite order, so no circle of waiting can close. Each fork checks that
// nobody else holds it.
// expect: verdict holds
// expect: errors 0
// expect: stored 22422
// expect: matched 69463
// expect: transitions 91885
// expect: atomic 28
// expect: depth 16870
// spin: spin -o1 -o2 -o3 -a philosophers_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 5
#endif

mtype = { take, put };

chan hand[N] = [0] of { mtype, byte };
byte dining;                    // philosophers that eat

proctype Fork(byte id)
{
  byte owner, who;

end:
  do
  :: hand[id] ? take, owner ->
     hand[id] ? put, who;
     assert(who == owner);
     d_step { owner = 0; who = 0 }
  od
}

proctype Philosopher(byte me; byte first; byte second)
{
  do
  :: hand[first] ! take, me;
     hand[second] ! take, me;
     dining++;
     assert(dining <= N / 2);
     dining--;
     hand[second] ! put, me;
     hand[first] ! put, me
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run Fork(i);
      if
      :: i < N - 1  -> run Philosopher(i, i, i + 1)
      :: i == N - 1 -> run Philosopher(i, 0, i)
      fi
    }
  }
}
