// Variables that are only written, or whose values do not matter any more, are
// still part of the state when no reduction is asked for.
// expect: verdict holds
// expect: errors 0
// expect: stored 16
// expect: matched 0
// expect: transitions 16
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a dead_variables.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte written_only;

active proctype A()
{
  byte t;

  if
  :: t = 1
  :: t = 2
  :: t = 3
  fi;
  written_only = t;
  skip;
  skip
}
