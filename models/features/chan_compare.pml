// Channel variables can be assigned and compared.
// expect: verdict holds
// expect: errors 0
// expect: stored 67
// expect: matched 50
// expect: transitions 117
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a chan_compare.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan p = [2] of { bit };
chan q = [2] of { bit };

active [2] proctype Swap()
{
  chan mine;

  if
  :: mine = p
  :: mine = q
  fi;
  do
  :: mine == p -> mine = q; mine ! 1; break
  :: mine == q && nempty(q) -> mine ? 1; break
  :: mine != p && empty(mine) -> break
  od
}
