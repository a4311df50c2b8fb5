// A jump to a d_step is refused, even to its beginning.
// differs: a jump to the beginning of a d_step leaves nothing out, so it is accepted.
// spinor: verdict holds
// spinor: errors 0
// spinor: stored 4
// spinor: matched 0
// spinor: transitions 4
// spinor: atomic 0
// spinor: depth 3
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_goto_d_step.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
  if
  :: x == 0 -> goto there
  :: x > 0 -> x--
  fi;
there:
  d_step { x = 1; x++ }
}
