// timeout becomes true when no process can move otherwise; all processes that
// wait for it may then go on.
// expect: verdict holds
// expect: errors 0
// expect: stored 59
// expect: matched 16
// expect: transitions 75
// expect: atomic 0
// expect: depth 23
// spin: spin -o1 -o2 -o3 -a timeout.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;
byte woken;

active [2] proctype Sleeper()
{
  do
  :: x < 3 -> x++
  :: timeout -> woken++; break
  od
}

active proctype Other()
{
  (woken > 0);
  x = 0;
  timeout -> assert(x == 3)
}
