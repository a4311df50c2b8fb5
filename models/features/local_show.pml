// The keywords local and show before a global declaration do not change the
// behaviour: local promises that one process uses the variable, show asks for
// its value to be displayed.
// expect: verdict holds
// expect: errors 0
// expect: stored 72
// expect: matched 46
// expect: transitions 118
// expect: atomic 0
// expect: depth 29
// spin: spin -o1 -o2 -o3 -a local_show.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

local byte mine;
show byte shown = 1;

active proctype Owner()
{
  do
  :: mine < 3 -> mine++
  :: mine == 3 -> mine = 0; shown = 1 - shown
  od
}

active proctype Other()
{
  (shown == 0);
  shown = 2
}
