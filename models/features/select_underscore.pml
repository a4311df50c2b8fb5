// With an underscore in the name of the variable, select counts even between
// two literals.
// expect: verdict holds
// expect: errors 0
// expect: stored 48
// expect: matched 3
// expect: transitions 51
// expect: atomic 0
// expect: depth 17
// spin: spin -o1 -o2 -o3 -a select_underscore.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte my_value, n;

active proctype Any()
{
  do
  :: n < 2 -> select (my_value : 3 .. 6); n++
  :: n == 2 -> break
  od;
  assert(my_value >= 3 && my_value <= 6)
}
