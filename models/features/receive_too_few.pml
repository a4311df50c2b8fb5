// Fewer fields in a receive than the channel has: accepted, and an error when
// it is executed, which ends the search.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a receive_too_few.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte, byte };

active proctype Sender() { q ! 4, 6; q ! 5, 7 }

active [2] proctype Receiver()
{
  byte a;

  if
  :: q ? a, _
  :: q ? 4 -> a = 9 // spinor: allow(channel-arity)
  fi
}
