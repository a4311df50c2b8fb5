// The provided clause of the receiver also holds back a rendezvous: the sender
// cannot complete its send while the receiver is stopped.
// expect: verdict holds
// expect: errors 0
// expect: stored 20
// expect: matched 7
// expect: transitions 27
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a provided_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
bool open;

active proctype Receiver() provided (open)
{
  byte x;

  c ? x;
  c ? x;
  assert(x == 2)
}

active proctype Sender()
{
  c ! 1;
  c ! 2
}

active proctype Gate()
{
  open = true;
  open = false;
  open = true
}
