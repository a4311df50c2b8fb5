// Dekker's algorithm, the first correct solution of mutual exclusion for two
// processes. Unlike in Peterson's, a process that has to give way withdraws
// its wish, waits for its turn, and announces the wish again.
// expect: verdict holds
// expect: errors 0
// expect: stored 128
// expect: matched 111
// expect: transitions 239
// expect: atomic 0
// expect: depth 50
// spin: spin -o1 -o2 -o3 -a dekker.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool wants[2];
byte turn;
byte inside;

active [2] proctype Worker()
{
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;

     do
     :: !wants[other] -> break
     :: wants[other] && turn == _pid -> skip       // insist: it is our turn
     :: wants[other] && turn == other ->
        wants[_pid] = false;                       // withdraw
        (turn == _pid);
        wants[_pid] = true
     od;

     inside++;
     assert(inside == 1);
     inside--;

     turn = other;
     wants[_pid] = false
  od
}
