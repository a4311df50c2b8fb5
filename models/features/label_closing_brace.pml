// A label directly before the closing brace stands before an implicit skip:
// leaving the body takes one more step.
// expect: verdict holds
// expect: errors 0
// expect: stored 31
// expect: matched 23
// expect: transitions 54
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a label_closing_brace.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Worker()
{
  if
  :: x < 2 -> x++; goto out
  :: x > 0 -> x--
  fi;
  x = x + 2;
out:
}
