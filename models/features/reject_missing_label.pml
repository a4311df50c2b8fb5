// A jump to a label that does not exist.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_missing_label.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  goto nowhere;
  skip
}
