// A remote reference to an element of an array: the index belongs to the process that asks.
// expect: verdict holds
// expect: errors 0
// expect: stored 8
// expect: matched 0
// expect: transitions 8
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a remote_array.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype Owner()
{
  byte k = 1;
  byte a[3];
  a[0] = 5; a[1] = 6; a[2] = 7;
end:
  k == 99
}

active proctype Reader()
{
  byte k = 2;
  byte x;

  Owner[0]@end;
  x = Owner[0]:a[k];
  assert(x == 7)
}
