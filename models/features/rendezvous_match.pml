// Constants in a receive restrict the partners: the handshake happens only when
// all of them agree.
// expect: verdict holds
// expect: errors 0
// expect: stored 27
// expect: matched 10
// expect: transitions 37
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a rendezvous_match.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { ping, pong };
chan c = [0] of { mtype, byte };
byte n;

active proctype Server()
{
end:
  do
  :: c ? ping, n -> c ! pong, n
  od
}

active [2] proctype Client()
{
  byte x;

  c ! ping, _pid;
  c ? pong, x;
  assert(x == _pid)
}
