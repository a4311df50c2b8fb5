// Peterson's algorithm generalised to four processes: the filter lock.
// There are three waiting rooms in a row. In each room the process that
// entered last is held back until somebody enters behind it or nobody is as
// far as it is, so each room lets at least one process fewer through.
//
// The look at the other processes is not one indivisible test: each of
// them is inspected in a step of its own, as on a real machine.
// expect: verdict holds
// expect: errors 0
// expect: stored 2448275
// expect: matched 6509233
// expect: transitions 8957508
// expect: atomic 0
// expect: depth 285890
// spin: spin -o1 -o2 -o3 -a peterson4.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define N      4
#define ROOMS  (N - 1)

byte room[N];        // the room process i is in, 0 when it is outside
byte victim[N];      // victim[r]: the last process that entered room r
byte inside;         // processes in the critical section

#define here  room[_pid]

active [N] proctype Worker()
{
  byte k;            // the process looked at

  do
  :: here < ROOMS ->
     here++;
     victim[here] = _pid;

     // wait for each process to be behind us, or for another victim
     k = 0;
     do
     :: k < N && (k == _pid || room[k] < here || victim[here] != _pid) -> k++
     :: k == N -> break
     od

  :: here == ROOMS ->
     inside++;
     assert(inside == 1);
     inside--;
     here = 0
  od
}
