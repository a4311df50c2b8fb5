// A variable may stand in one field of a receive only.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_receive_variable_twice.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte, byte };

active proctype A()
{
  byte x;

  q ? x, x
}
