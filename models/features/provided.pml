// A process with a provided clause takes a step, also its last one, only while
// the clause is true. Here two processes hand a baton to and fro.
// expect: verdict holds
// expect: errors 0
// expect: stored 35
// expect: matched 2
// expect: transitions 37
// expect: atomic 0
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a provided.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bit baton;
byte laps;

active proctype Zero() provided (baton == 0)
{
  do
  :: laps < 4 -> laps++; baton = 1
  :: laps < 3 -> laps++
  :: laps >= 4 -> break
  od;
  baton = 1
}

active proctype One() provided (baton == 1)
{
  do
  :: laps < 4 -> laps++; baton = 0
  :: else -> break
  od;
  baton = 0
}
