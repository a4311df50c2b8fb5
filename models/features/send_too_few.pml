// Fewer fields in a send than the channel has: accepted, and an error whenever
// it is executed.
// expect: verdict violated
// expect: errors 1
// expect: stored 9
// expect: matched 1
// expect: transitions 10
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a send_too_few.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte, byte };

active proctype Sender()
{
  if
  :: q ! 1, 2
  :: q ! 3 // spinor: allow(channel-arity)
  fi
}

active proctype Receiver()
{
  byte a, b;

  q ? a, b;
  assert(a == 1 || b == 0)
}
