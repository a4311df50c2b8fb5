// An active process with parameters: they begin as zero.
// expect: verdict holds
// expect: errors 0
// expect: stored 117
// expect: matched 156
// expect: transitions 273
// expect: atomic 0
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a active_with_params.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte sum;

active [2] proctype A(byte x; short y)
{
  x++;
  assert(x == 1 && y == 0);
  sum = sum + x
}

init { run A(0, 0) }
