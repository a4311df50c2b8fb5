// A d_step may begin with the receiving half of a rendezvous.
// expect: verdict holds
// expect: errors 0
// expect: stored 14
// expect: matched 6
// expect: transitions 20
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a d_step_rendezvous_receive.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Sender()
{
  c ! 3;
  c ! 4
}

active [2] proctype Receiver()
{
  byte y;

  d_step { c ? y; x = x + y; y = 0 };
  x++
}
