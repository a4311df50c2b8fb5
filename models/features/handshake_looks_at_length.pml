// A receiver that takes only what agrees with the length of another channel:
// who can send depends on a buffer that the sender never mentions.
// expect: verdict violated
// expect: errors 2
// expect: stored 6
// expect: matched 7
// expect: transitions 13
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a handshake_looks_at_length.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan offer  = [0] of { byte };
chan parked = [1] of { byte };
bit  tick;

active proctype Sender()
{
end:
  do
  :: offer ! 1
  od
}

active proctype Receiver()
{
end:
  do
  :: offer ? eval(len(parked)) -> assert(false)
  od
}

active proctype Parking()
{
  parked ! 1
}

active proctype Clock()
{
  do
  :: tick = 1 - tick
  od
}
