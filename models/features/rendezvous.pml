// A channel without capacity: sender and receiver move together.
// expect: verdict holds
// expect: errors 0
// expect: stored 46
// expect: matched 4
// expect: transitions 50
// expect: atomic 0
// expect: depth 25
// spin: spin -o1 -o2 -o3 -a rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte, bool };
byte got;

active [2] proctype Sender()
{
  c ! 1, false;
  c ! 2, true
}

active proctype Receiver()
{
  byte x, ends;
  bool last;

  do
  :: ends < 2 -> c ? x, last; got = got + x; ends = ends + last
  :: ends == 2 -> break
  od;
  assert(got == 6)
}
