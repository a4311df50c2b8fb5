// Control handed on in a rendezvous: a receiver inside an atomic sequence may
// itself send, and the next receiver goes on atomically.
// expect: verdict holds
// expect: errors 0
// expect: stored 14
// expect: matched 4
// expect: transitions 18
// expect: atomic 8
// expect: depth 21
// spin: spin -o1 -o2 -o3 -a atomic_rendezvous_chain.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype First()
{
  byte n;

  do
  :: n < 2 -> c ! n; n++
  :: n == 2 -> break
  od
}

active proctype Middle()
{
  byte y;

end:
  do
  :: atomic { c ? y; x++; d ! y; x++ }
  od
}

active proctype Last()
{
  byte z;

end:
  do
  :: atomic { d ? z; x = x + 4; x = x * 2 }
  od
}
