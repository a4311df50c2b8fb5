// A rendezvous send inside a d_step, even as its first statement, is an error
// that ends the search.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a d_step_rendezvous_send.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Sender()
{
  x++;
  d_step { c ! x; x++ }
}

active proctype Receiver()
{
  byte y;

  c ? y
}
