// A label may not be the first thing in a plain block; it belongs before the
// brace.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_label_in_block.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
  x++;
  {
again:
    x++
  };
  goto again
}
