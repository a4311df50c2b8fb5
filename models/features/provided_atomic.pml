// The provided clause is tested inside an atomic, too: the process loses
// control in the middle of it and goes on when the clause is true again.
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 0
// expect: transitions 15
// expect: atomic 2
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a provided_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool allowed = true;
byte x;

active proctype Worker() provided (allowed)
{
  atomic {
    x = 1;
    allowed = false;
    x = x + 10
  }
}

active proctype Other()
{
  (!allowed);
  if
  :: x++
  :: x = 5
  fi;
  allowed = true;
  (x > 9)
}
