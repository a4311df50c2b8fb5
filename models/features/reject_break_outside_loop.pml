// break belongs inside a loop.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_break_outside_loop.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  skip;
  break
}
