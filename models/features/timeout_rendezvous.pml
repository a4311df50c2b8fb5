// A send on a rendezvous channel without a partner does not count as a move:
// timeout is true. With a ready partner it is not.
// expect: verdict holds
// expect: errors 0
// expect: stored 31
// expect: matched 6
// expect: transitions 37
// expect: atomic 0
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a timeout_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte lost;

active proctype Sender()
{
  byte n;

  do
  :: n < 3 ->
     if
     :: c ! n
     :: timeout -> lost++
     fi;
     n++
  :: n == 3 -> break
  od
}

active proctype Receiver()
{
  byte x;

  c ? x;
  if
  :: c ? x
  :: skip
  fi
}
