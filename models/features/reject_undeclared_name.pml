// A name that is not declared.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_undeclared_name.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  byte x;

  x = y + 1
}
