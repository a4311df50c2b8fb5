// An else beside a rendezvous send is taken only when no partner is ready.
// expect: verdict holds
// expect: errors 0
// expect: stored 24
// expect: matched 12
// expect: transitions 36
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a rendezvous_else.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte alone;

active proctype Sender()
{
  byte n;

  do
  :: n == 2 -> break
  :: n < 2 ->
     if
     :: c ! n
     :: else -> alone++
     fi;
     n++
  od
}

active proctype Receiver()
{
  byte x;

  if
  :: c ? x -> skip
  :: alone == 2
  fi
}
