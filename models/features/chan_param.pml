// Channels as parameters: two names for the same channel.
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 2
// expect: transitions 17
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a chan_param.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan left = [1] of { byte };
chan right = [0] of { byte };

proctype Relay(chan in, out)
{
  byte x;

end:
  do
  :: in ? x -> out ! x
  od
}

init {
  byte y;

  run Relay(left, right);
  left ! 3;
  if
  :: left ! 4; right ? y; assert(y == 3)
  :: skip
  fi;
  right ? y;
  assert(y >= 3)
}
