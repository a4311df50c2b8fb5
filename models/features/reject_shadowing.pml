// A local variable may not have the name of a visible global one.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_shadowing.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
  short x;

  x++
}
