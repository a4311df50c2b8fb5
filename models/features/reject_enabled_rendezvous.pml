// enabled() cannot be used in a model with rendezvous channels.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_enabled_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active proctype Sender() { c ! 1 }

active proctype Watcher()
{
  if
  :: enabled(0) -> x = 1
  :: !enabled(0) -> c ? x
  fi
}
