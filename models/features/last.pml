// _last is the process that moved last. Mentioning it makes it part of the
// state, so states that differ only in who moved last are kept apart.
// expect: verdict holds
// expect: errors 0
// expect: stored 64
// expect: matched 81
// expect: transitions 145
// expect: atomic 0
// expect: depth 36
// spin: spin -o1 -o2 -o3 -a last.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Turns()
{
  do
  :: _last != _pid -> x = (x + 1) % 3
  od
}

active proctype Idle()
{
  do
  :: x == 0 -> skip
  od
}
