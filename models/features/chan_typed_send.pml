// Message fields are cut to the width of the channel's declaration.
// expect: verdict holds
// expect: errors 0
// expect: stored 14
// expect: matched 3
// expect: transitions 17
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a chan_typed_send.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte, bool, short };

active proctype Sender()
{
  q ! 257, 2, 70000; // spinor: allow(constant-truncation)
  q ! -1, 3, -32769 // spinor: allow(constant-truncation)
}

active proctype Receiver()
{
  int a, b, c;

  do
  :: q ? a, b, c ->
     assert((a == 1 && b == 0 && c == 4464) || (a == 255 && b == 1 && c == 32767))
  :: a == 255 -> break
  :: c == 4464 && nempty(q) -> c = 0
  od
}
