// A channel sent in a message: the answer comes back on it.
// expect: verdict holds
// expect: errors 0
// expect: stored 36
// expect: matched 15
// expect: transitions 51
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a chan_in_message.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan server = [1] of { chan, byte };

active proctype Server()
{
  chan back;
  byte n;

end:
  do
  :: server ? back, n -> back ! n + 1
  od
}

active [2] proctype Client()
{
  chan mine = [0] of { byte };
  byte x;

  server ! mine, _pid;
  mine ? x;
  assert(x == _pid + 1)
}
