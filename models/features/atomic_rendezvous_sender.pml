// A sender inside an atomic sequence loses control with the rendezvous; the
// rest of its sequence is executed when it is scheduled again.
// expect: verdict holds
// expect: errors 0
// expect: stored 148
// expect: matched 166
// expect: transitions 314
// expect: atomic 141
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a atomic_rendezvous_sender.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active [2] proctype Sender()
{
  atomic {
    x++;
    c ! x;
    x++;
    x++
  }
}

active [2] proctype Receiver()
{
  byte y;

  c ? y;
  x = x + 10
}
