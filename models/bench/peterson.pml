// Peterson's algorithm for N processes, the filter lock: N - 1 waiting rooms in
// a row, and in each of them the process that entered last is held back until
// somebody enters behind it or nobody else is as far as it is.
//
// The others are inspected one by one. With FINE a process reads each shared
// variable in a step of its own: the same algorithm, a larger state space.
// expect: verdict holds
// expect: errors 0
// expect: stored 14998
// expect: matched 25567
// expect: transitions 40565
// expect: atomic 0
// expect: depth 4861
// spin: spin -o1 -o2 -o3 -a peterson.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N      3
#endif
#define ROOMS  (N - 1)

byte room[N];        // the room process i is in, 0 when it is outside
byte victim[N];      // victim[r]: the last process that entered room r
byte inside;         // processes in the critical section

// Wait in room `here`; k runs over the processes.
#ifdef FINE
inline wait()
{
  k = 0;
  do
  :: k < N ->
     if
     :: k == _pid -> k++
     :: k != _pid ->
        if
        :: room[k] < here -> k++
        :: room[k] >= here ->
           if
           :: victim[here] != _pid -> k = N
           :: victim[here] == _pid        // look again
           fi
        fi
     fi
  :: k == N -> break
  od
}
#else
inline wait()
{
  do
  :: k < N && (k == _pid || room[k] < here) -> k++
  :: k < N && victim[here] != _pid -> k = N
  :: k == N ->
     k = 0;
     break
  od
}
#endif

active [N] proctype Worker()
{
  byte here;         // my room
  byte k;

  do
  :: here < ROOMS ->
     here++;
     room[_pid] = here;
     victim[here] = _pid;
     wait()
  :: here == ROOMS ->
     inside++;
     assert(inside == 1);
     inside--;
     room[_pid] = 0;
     here = 0
  od
}
