// Text from another file.
// expect: verdict holds
// expect: errors 0
// expect: stored 27
// expect: matched 6
// expect: transitions 33
// expect: atomic 5
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a include.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#include "include.h"

active [2] proctype User()
{
  lock(mutex);
  shared++;
  assert(shared == 1);
  shared--;
  unlock(mutex)
}
