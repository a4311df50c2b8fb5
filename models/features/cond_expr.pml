// The conditional expression ( test -> one : other ), also nested.
// expect: verdict holds
// expect: errors 0
// expect: stored 42
// expect: matched 12
// expect: transitions 54
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a cond_expr.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a, b;

active proctype Choose()
{
  do
  :: a < 4 -> a++
  :: b = (a > 2 -> 10 : (a == 2 -> 20 : 30))
  :: a == 4 -> break
  od;
  b = (b -> b + 1 : 0);
  assert(b == 0 || b == 11 || b == 21 || b == 31)
}
