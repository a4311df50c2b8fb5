// A d_step may not follow a loop directly: leaving the loop would be a jump
// into it.
// differs: leaving the loop starts the d_step at its beginning, so it is accepted.
// spinor: verdict holds
// spinor: errors 0
// spinor: stored 8
// spinor: matched 0
// spinor: transitions 8
// spinor: atomic 0
// spinor: depth 7
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_loop_before_d_step.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
  do
  :: x < 2 -> x++
  :: else -> break
  od;
  d_step { x = 0; x++ }
}
