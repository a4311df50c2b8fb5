// Two else in the same choice.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_two_else.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
  if
  :: x == 1 -> skip
  :: else -> x = 2
  :: else -> x = 3
  fi
}
