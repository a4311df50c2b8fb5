// Jumps stay inside a d_step.
// expect: verdict holds
// expect: errors 0
// expect: stored 40
// expect: matched 26
// expect: transitions 66
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a d_step_goto.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, rounds;

active [2] proctype Worker()
{
  do
  :: rounds < 3 ->
     d_step {
       rounds++;
again:
       x++;
       if
       :: x % 3 != 0 -> goto again
       :: else
       fi;
       x = x + rounds
     }
  :: rounds > 1 -> break
  od
}
