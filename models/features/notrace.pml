// A notrace assertion lists an order of events that must not occur: it is an
// error to reach its end.
// expect: verdict violated
// expect: errors 2
// expect: stored 35
// expect: matched 18
// expect: transitions 53
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a notrace.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte };

notrace {
  q ! 1;
  q ! 1
}

active [2] proctype Sender()
{
  q ! _pid;
  q ! _pid
}

active proctype Receiver()
{
end:
  do
  :: q ? _
  od
}
