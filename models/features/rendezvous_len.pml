// A rendezvous channel never holds a message that anybody could see: its
// length is 0, it is empty and not full.
// expect: verdict holds
// expect: errors 0
// expect: stored 20
// expect: matched 6
// expect: transitions 26
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a rendezvous_len.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Sender()
{
  assert(len(c) == 0);
  if
  :: nfull(c) -> c ! 1
  :: empty(c) -> c ! 2
  :: full(c) -> assert(false)
  :: nempty(c) -> assert(false)
  fi
}

active proctype Receiver()
{
  empty(c);
  nfull(c);
  c ? x;
  assert(x > 0)
}
