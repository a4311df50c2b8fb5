// A claim that is left out of the run: the counts are those of the system.
// expect: verdict holds
// expect: errors 0
// expect: stored 44
// expect: matched 45
// expect: transitions 89
// expect: atomic 0
// expect: depth 24
// spin: spin -o1 -o2 -o3 -a never_unused.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Count()
{
  do
  :: x < 4 -> x++
  :: x >= 4 -> x = 0
  od
}

never {
  do
  :: true
  :: x == 4 -> break
  od
}
