// A jump to itself.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_goto_itself.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
again:
  goto again
}
