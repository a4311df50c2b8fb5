// Arrays of the basic types; a single initialiser is given to all elements.
// expect: verdict holds
// expect: errors 0
// expect: stored 282
// expect: matched 322
// expect: transitions 604
// expect: atomic 0
// expect: depth 15
// spin: spin -o1 -o2 -o3 -a array_scalars.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[3] = 7;
bool seen[3];

active [3] proctype Take()
{
  assert(a[_pid] == 7);
  seen[_pid] = true;
  a[_pid] = a[(_pid + 1) % 3] - 1;
  assert(seen[_pid] && a[_pid] >= 4)
}
