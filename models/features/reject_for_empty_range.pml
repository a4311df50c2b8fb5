// A for loop over two literal bounds in the wrong order is refused.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_for_empty_range.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype Empty()
{
  byte i;

  for (i : 3 .. 2) { skip }
}
