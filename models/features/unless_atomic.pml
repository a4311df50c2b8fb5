// The escape is also looked at between the statements of an atomic sequence in
// the main sequence, but not inside a d_step.
// expect: verdict holds
// expect: errors 0
// expect: stored 34
// expect: matched 21
// expect: transitions 55
// expect: atomic 8
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a unless_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;
byte how;

active proctype Atomic()
{
  { atomic { x++; x++; x++ } } unless { x == 2 -> how = how + 1 };
  { d_step { x = 0; x = 2; x = 5 } } unless { x == 2 -> how = how + 4 };
  x = 1
}

active proctype Env()
{
  if
  :: x = 1
  :: skip
  fi
}
