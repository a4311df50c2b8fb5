// More fields in a receive than the channel has: accepted, and an error when
// it is executed.
// expect: verdict violated
// expect: errors 2
// expect: stored 8
// expect: matched 4
// expect: transitions 12
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a receive_too_many.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte };

active proctype Sender() { q ! 4; q ! 5 }

active proctype Receiver()
{
  byte a, b;

  if
  :: q ? a
  :: q ? a, b // spinor: allow(channel-arity)
  fi
}
