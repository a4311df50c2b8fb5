// A labelled goto costs nothing, unless the label begins with end, progress or
// accept: then there is a place to be at, and leaving it is a step.
// expect: verdict holds
// expect: errors 0
// expect: stored 25
// expect: matched 15
// expect: transitions 40
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a goto_labelled.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Plain()
{
  do
  :: x < 3 ->
     x++;
here: goto there
  :: x == 3 -> break
  od;
there:
  skip
}

active proctype Marked()
{
  do
  :: x < 4 ->
     x++;
progress_here: goto there
  :: x >= 3 -> break
  od;
there:
  skip
}
