// A number with a leading zero is still decimal.
// expect: verdict holds
// expect: errors 0
// expect: stored 43
// expect: matched 24
// expect: transitions 67
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a octal_looking.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x = 010;

active [2] proctype A()
{
  assert(x >= 8);
  if
  :: x == 10 -> x = 009
  :: x < 10 -> x = 08
  fi;
  assert(x == 9 || x == 8)
}
