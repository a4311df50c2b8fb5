// Processes of the highest priority among those that can move go first; the
// others wait until these are blocked. Equal priorities interleave.
// expect: verdict holds
// expect: errors 0
// expect: stored 36
// expect: matched 6
// expect: transitions 42
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a priority_static.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte order;
bool go;

active [2] proctype Low() priority 2
{
  order = order * 2 + 1;
  go = true
}

active proctype High() priority 5
{
  order = order * 2;
  go;
  order = order + 100;
  assert(order >= 101)
}
