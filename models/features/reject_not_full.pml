// A channel predicate may not be negated: nfull is its opposite.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_not_full.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte };

active proctype A()
{
  if
  :: !full(q) -> q ! 1
  :: full(q) -> skip
  fi
}
