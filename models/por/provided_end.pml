// A process may end only if its provided clause holds, and only when all
// processes started after it are gone. What changes the clause must not go
// first because the end has still to wait.
// expect: verdict holds
// expect: errors 0
// expect: stored 87
// expect: matched 112
// expect: transitions 199
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a provided_end.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

active proctype Asks()
{
end:
  y == 9
}

active proctype Counts()
{
  x = 1;
  x = 0;
  x = 2
}

active proctype Watched() provided (x != 1)
{
  skip
}

active proctype Youngest()
{
  do
  :: y = 1
  :: y = 2
  :: break
  od
}
