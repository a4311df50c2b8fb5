// A local channel is created with its process and disappears with it.
// expect: verdict holds
// expect: errors 0
// expect: stored 127
// expect: matched 82
// expect: transitions 209
// expect: atomic 0
// expect: depth 22
// spin: spin -o1 -o2 -o3 -a chan_local.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan names = [2] of { chan };
byte done;

proctype Mailbox(byte n)
{
  chan box = [1] of { byte };
  byte x;

  names ! box;
  box ? x;
  assert(x == 5);
  done++
}

init {
  chan c;
  byte k;

  do
  :: k < 2 -> run Mailbox(k); k++
  :: names ? c -> c ! 5
  :: done == 2 -> break
  od
}
