// A failing assertion inside a d_step.
// expect: verdict violated
// expect: errors 7
// expect: stored 36
// expect: matched 22
// expect: transitions 58
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a assert_in_d_step.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Choose()
{
  do
  :: x < 4 -> d_step { x++; assert(x != 3); x++ }
  :: x > 1 -> break
  od
}
