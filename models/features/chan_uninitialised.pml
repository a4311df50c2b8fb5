// A channel variable that has not been given a channel: every attempt to use
// it is an error, and the statement blocks.
// expect: verdict violated
// expect: errors 2
// expect: stored 6
// expect: matched 0
// expect: transitions 6
// expect: atomic 0
// expect: depth 4
// spin: spin -o1 -o2 -o3 -a chan_uninitialised.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan real = [1] of { byte };
chan c;
byte x;

active proctype Sender()
{
  if
  :: c = real
  :: x = 1
  fi;
  c ! 1;
  x = x + 2
}
