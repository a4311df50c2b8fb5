// Inside an inline, select always counts, whatever its bounds.
// expect: verdict holds
// expect: errors 0
// expect: stored 487
// expect: matched 446
// expect: transitions 933
// expect: atomic 0
// expect: depth 22
// spin: spin -o1 -o2 -o3 -a select_inline.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte v;

inline throw(x) { select (x : 1 .. 4) }

active [2] proctype Dice()
{
  byte d;

  throw(d);
  v = v + d;
  assert(v <= 8)
}
