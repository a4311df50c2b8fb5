// A goto at the very start of a body costs nothing: the process begins where
// it leads to.
// expect: verdict holds
// expect: errors 0
// expect: stored 80
// expect: matched 63
// expect: transitions 143
// expect: atomic 0
// expect: depth 28
// spin: spin -o1 -o2 -o3 -a goto_start.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Start()
{
  goto work;
idle:
  x = 0;
work:
  do
  :: x < 3 -> x++
  :: x == 3 -> goto idle
  :: x >= 2 -> break
  od
}
