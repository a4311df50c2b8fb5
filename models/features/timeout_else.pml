// else is preferred to timeout: the choice with an else never waits, so the
// timeout beside it is never taken.
// expect: verdict holds
// expect: errors 0
// expect: stored 37
// expect: matched 13
// expect: transitions 50
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a timeout_else.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a;

active proctype Else()
{
  if
  :: a == 5 -> skip
  :: timeout -> assert(false)
  :: else -> a++
  fi;
  timeout;
  a++
}

active proctype Other()
{
  do
  :: a < 3 -> a++
  :: timeout -> break
  od
}
