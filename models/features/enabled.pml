// enabled(p) is true when process p could take a step now.
// expect: verdict holds
// expect: errors 0
// expect: stored 46
// expect: matched 21
// expect: transitions 67
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a enabled.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte };
byte seen;

active proctype Consumer()
{
  byte x;

end:
  do
  :: q ? x
  od
}

active [2] proctype Watcher()
{
  do
  :: enabled(0) -> seen++; break
  :: !enabled(0) && seen == 0 -> q ! _pid; break
  :: seen > 0 -> break
  od
}
