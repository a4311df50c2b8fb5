// A declaration as the first item of an option is its guard: an assignment
// that is always executable.
// expect: verdict holds
// expect: errors 0
// expect: stored 16
// expect: matched 3
// expect: transitions 19
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a decl_in_option.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte n;

active proctype Options()
{
  do
  :: byte a = (n < 3 -> n + 1 : 3); n = a
  :: n >= 3 -> break
  :: n > 1 -> byte b; n = b
  od
}
