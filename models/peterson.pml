// Peterson's algorithm: mutual exclusion for two processes that share
// nothing but three variables. Each process announces its wish, then gives
// the other one precedence; whoever gave it last has to wait.
// expect: verdict holds
// expect: errors 0
// expect: stored 38
// expect: matched 27
// expect: transitions 65
// expect: atomic 0
// expect: depth 23
// spin: spin -o1 -o2 -o3 -a peterson.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool wants[2];    // wants[i]: process i would like to enter
byte turn;        // who goes first when both want to
byte inside;      // number of processes in the critical section

active [2] proctype Worker()
{
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;
     turn = other;
     (!wants[other] || turn == _pid);

     // critical section
     inside++;
     assert(inside == 1);
     inside--;

     wants[_pid] = false
  od
}
