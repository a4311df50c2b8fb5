// A d_step is one step: it can be taken when its first statement can, and no
// state is stored inside it.
// expect: verdict holds
// expect: errors 0
// expect: stored 33
// expect: matched 16
// expect: transitions 49
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a d_step.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

active [2] proctype Worker()
{
  d_step {
    x < 9 ->
    y = x;
    x = x + 3;
    x = x - y
  };
  d_step { x++; y++ };
  assert(y <= 6)
}
