// A loop over a range of numbers, bounds included. The loop variable is one
// beyond the upper bound afterwards; over an empty range the body never runs.
// expect: verdict holds
// expect: errors 0
// expect: stored 273
// expect: matched 240
// expect: transitions 513
// expect: atomic 0
// expect: depth 32
// spin: spin -o1 -o2 -o3 -a for_range.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte sum;

active [2] proctype Ranges()
{
  byte i;

  for (i : 1 .. 3) { sum = sum + i };
  assert(i == 4);
  for (i : i .. 2) { assert(false) };
  assert(i == 4)
}
