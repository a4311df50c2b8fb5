// Two adjacent atomic sequences: the state between them is stored, and other
// processes may move there.
// expect: verdict holds
// expect: errors 0
// expect: stored 21
// expect: matched 12
// expect: transitions 33
// expect: atomic 18
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a atomic_adjacent.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Pair()
{
  atomic { x++; x++ };
  atomic { x++; x = x - 2 };
  assert(x > 0)
}
