// q !! m puts the message in front of the first one that is greater, comparing
// field by field.
// expect: verdict holds
// expect: errors 0
// expect: stored 82
// expect: matched 12
// expect: transitions 94
// expect: atomic 0
// expect: depth 29
// spin: spin -o1 -o2 -o3 -a sorted_send.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [4] of { byte, byte };

active [2] proctype Sender()
{
  q !! 2, _pid;
  if
  :: q !! 1, 5
  :: q !! 3, 0
  fi
}

active proctype Receiver()
{
  byte a, b, last_a, last_b;

  (len(q) == 4);
  do
  :: nempty(q) ->
     q ? a, b;
     assert(a > last_a || (a == last_a && b >= last_b));
     last_a = a; last_b = b
  :: empty(q) -> break
  od
}
