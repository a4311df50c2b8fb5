// A trace over a rendezvous channel. Its end label makes it acceptable that the
// run stops there while a process still waits.
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 1
// expect: transitions 16
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a trace_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };

active [2] proctype Receiver()
{
  byte x;

end:
  c ? x
}

active proctype Sender()
{
  if
  :: c ! 1
  :: c ! 1; c ! 2
  fi
}

trace {
  do
  :: c ! 1;
end:
     c ! 2
  od
}
