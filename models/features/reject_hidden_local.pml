// Only global variables can be hidden.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_hidden_local.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  hidden byte t;

  t = 1
}
