// An if that is not closed.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_missing_fi.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
  if
  :: x == 0 -> x++
  :: x > 0 -> x--
}
