// Declarations at the head of a body take no step, whatever they compute.
// expect: verdict holds
// expect: errors 0
// expect: stored 31
// expect: matched 20
// expect: transitions 51
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a decl_at_head.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte g = 3;

active [2] proctype Head()
{
  byte a = g + 1, b;
  byte c[2] = g;
  chan q = [1] of { byte };

  q ! a;
  q ? b;
  g = b;
  assert(c[0] == c[1])
}
