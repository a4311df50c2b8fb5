// D_proctype instead of proctype promises a deterministic process; the checker
// may use it, the behaviour is the same.
// expect: verdict holds
// expect: errors 0
// expect: stored 57
// expect: matched 60
// expect: transitions 117
// expect: atomic 0
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a d_proctype.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

active D_proctype Steps()
{
  do
  :: x < 3 -> x++
  :: else -> break
  od
}

active [2] proctype Watch()
{
  (x > 1);
  y++
}
