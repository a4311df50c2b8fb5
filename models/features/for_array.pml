// A loop over the indices of an array.
// expect: verdict holds
// expect: errors 0
// expect: stored 273
// expect: matched 240
// expect: transitions 513
// expect: atomic 0
// expect: depth 32
// spin: spin -o1 -o2 -o3 -a for_array.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[4];

active [2] proctype Indices()
{
  byte i;

  for (i in a) {
    a[i] = a[i] + i
  };
  assert(i == 4 && a[0] == 0)
}
