// A receiver inside an atomic sequence takes control with the rendezvous and
// goes on atomically, whether or not the sender was in one.
// expect: verdict holds
// expect: errors 0
// expect: stored 40
// expect: matched 15
// expect: transitions 55
// expect: atomic 15
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a atomic_rendezvous_receiver.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Plain()
{
  c ! 1;
  x++
}

active proctype Atomic()
{
  atomic { x++; c ! 2; x++ }
}

active proctype Receiver()
{
  byte y;

  atomic { c ? y; x = x + y; x = x * 2 };
  atomic { c ? y; x = x + y; x = x * 2 }
}
