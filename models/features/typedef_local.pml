// A structure as a local variable: each process has its own. Declared at the
// head of the body it costs no step; after a statement it costs one.
// expect: verdict holds
// expect: errors 0
// expect: stored 43
// expect: matched 30
// expect: transitions 73
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a typedef_local.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Pair { byte left; byte right };

byte total;

active [2] proctype Work()
{
  Pair p;

  p.left = 2;
  Pair q;
  q.right = p.left + 1;
  total = total + q.right + q.left;
  assert(total % 3 == 0)
}
