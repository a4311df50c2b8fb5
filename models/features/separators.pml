// A semicolon and an arrow mean the same; a newline may end a statement, and
// a separator before the end of a block is allowed.
// expect: verdict holds
// expect: errors 0
// expect: stored 114
// expect: matched 78
// expect: transitions 192
// expect: atomic 0
// expect: depth 15
// spin: spin -o1 -o2 -o3 -a separators.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype A()
{
  x++ -> x++;
  skip
  x++
  if
  :: x > 4; x = 0;
  :: x <= 4 -> ;
  :: x > 5 ->
  fi;
  { x++; };
}
