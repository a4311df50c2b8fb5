// A receive from a rendezvous channel as the guard of an escape: it does not
// hold the main sequence back, but the sender may choose it at any time.
// expect: verdict holds
// expect: errors 0
// expect: stored 27
// expect: matched 16
// expect: transitions 43
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a unless_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan stop = [0] of { byte };
byte x;

active proctype Main()
{
  byte why;

  {
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    od
  } unless {
    stop ? why -> assert(why == 1)
  };
  x = 10
}

active proctype Operator()
{
  stop ! 1
}
