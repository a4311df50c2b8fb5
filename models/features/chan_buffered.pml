// A channel with capacity is a queue; a send to a full one and a receive from
// an empty one block.
// expect: verdict holds
// expect: errors 0
// expect: stored 86
// expect: matched 57
// expect: transitions 143
// expect: atomic 0
// expect: depth 28
// spin: spin -o1 -o2 -o3 -a chan_buffered.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte };

active proctype Sender()
{
  byte n;

  do
  :: n < 4 -> n++; q ! n
  :: n == 4 -> break
  od
}

active proctype Receiver()
{
  byte x, last;

  do
  :: q ? x -> assert(x == last + 1); last = x
  :: last == 4 -> break
  od
}
