// What a channel held before leaves no trace: states with equal contents are
// equal whatever went through the slots.
// expect: verdict holds
// expect: errors 0
// expect: stored 22
// expect: matched 14
// expect: transitions 36
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a chan_slots.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [3] of { byte };

active proctype Recycle()
{
  byte n; // spinor: allow(unused-variable)

  do
  :: nfull(q) ->
     if
     :: q ! 1
     :: q ! 2
     fi
  :: q ? _
  od
}
