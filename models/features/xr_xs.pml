// xr and xs claim exclusive access to a channel. Without partial order
// reduction they have no effect.
// expect: verdict holds
// expect: errors 0
// expect: stored 29
// expect: matched 14
// expect: transitions 43
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a xr_xs.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte };

active proctype Sender()
{
  xs q;
  byte n;

  do
  :: n < 3 -> q ! n; n++
  :: n > 1 -> break
  od
}

active proctype Receiver()
{
  xr q;
  byte x;

end:
  do
  :: q ? x
  od
}
