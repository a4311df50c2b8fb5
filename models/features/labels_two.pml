// Two labels on the same statement.
// expect: verdict holds
// expect: errors 0
// expect: stored 63
// expect: matched 60
// expect: transitions 123
// expect: atomic 0
// expect: depth 29
// spin: spin -o1 -o2 -o3 -a labels_two.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Loop()
{
first:
second:
  x = (x + 1) % 4;
  if
  :: x < 3 -> goto first
  :: x > 1 -> goto second
  :: x == 3 -> skip
  fi
}
