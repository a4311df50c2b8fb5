// An option that does nothing and leads back to the same place is refused.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a self_loop_rejected.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Idle()
{
  do
  :: skip
  :: x++; break
  od
}
