// Every ready receiver is a possible partner, but never the sender itself.
// expect: verdict holds
// expect: errors 0
// expect: stored 466
// expect: matched 521
// expect: transitions 987
// expect: atomic 0
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a rendezvous_many.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte pairs;

active [4] proctype Peer()
{
  byte who = 9;

  if
  :: c ! _pid
  :: c ? who -> assert(who != _pid); pairs++
  fi;
end:
  (pairs == 2)
}
