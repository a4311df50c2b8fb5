// Outside of a choice, else is always executable.
// expect: verdict holds
// expect: errors 0
// expect: stored 43
// expect: matched 30
// expect: transitions 73
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a else_alone.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Alone()
{
  x++;
  else;
  x++;
  else -> x++
}
