// A call of an inline that is not defined.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_undeclared_inline.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  helper(3)
}
