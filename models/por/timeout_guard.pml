// A timeout with further conditions, and one in the middle of an atomic sequence, where control is lost.
// expect: verdict holds
// expect: errors 0
// expect: stored 33
// expect: matched 22
// expect: transitions 55
// expect: atomic 16
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a timeout_guard.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte };
byte x, late;

active proctype Sender()
{
  do
  :: x < 2 -> q ! x; x++
  :: x == 2 -> break
  od
}

active proctype Receiver()
{
  byte got;

end:
  do
  :: q ? got
  :: timeout && x == 2 && empty(q) && late < 2 -> late++
  od
}

active proctype Clerk()
{
  atomic { late = 1; timeout; late = 2 };
  assert(x == 2)
}
