// Accept and progress labels do not change the counts of a safety check, but
// a labelled jump becomes a place of its own with them.
// expect: verdict holds
// expect: errors 0
// expect: stored 43
// expect: matched 31
// expect: transitions 74
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a goto_accept_step.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Spin()
{
  do
  :: x < 2 ->
     x++;
accept_it: goto again
  :: x == 2 ->
     x = 0;
plain: goto again
  :: x == 1 -> break
  od;
again:
  skip
}
