// Every execution of a failing assertion is counted.
// expect: verdict violated
// expect: errors 18
// expect: stored 45
// expect: matched 46
// expect: transitions 91
// expect: atomic 0
// expect: depth 44
// spin: spin -o1 -o2 -o3 -a assert_many.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Wheel()
{
  do
  :: x = (x + 1) % 5;
     assert(x != 3);
     assert(x % 2 == 0)
  od
}
