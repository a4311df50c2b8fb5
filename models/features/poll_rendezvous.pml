// Asking for a message of a rendezvous channel is an error: there is never one
// to be seen.
// expect: verdict violated
// expect: errors 1
// expect: stored 6
// expect: matched 1
// expect: transitions 7
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a poll_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Sender() { c ! 1 }

active proctype Watcher()
{
  if
  :: c ? [1] -> x = 1
  :: c ? x -> skip
  :: x == 0 -> c ? x
  fi
}
