// Unsigned variables of any width from 1 to 32 bits; arithmetic wraps there.
// expect: verdict holds
// expect: errors 0
// expect: stored 626
// expect: matched 625
// expect: transitions 1251
// expect: atomic 0
// expect: depth 289
// spin: spin -o1 -o2 -o3 -a unsigned.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

unsigned three : 3 = 5;
unsigned one : 1;

active [2] proctype Count()
{
  unsigned turns : 2;

  do
  :: three++; turns++; one = turns
  :: turns == 3 -> assert(one <= 1 && three <= 7); break
  od
}
