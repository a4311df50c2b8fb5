// Expressions are computed with 32 bits and wrap there.
// expect: verdict holds
// expect: errors 0
// expect: stored 19
// expect: matched 0
// expect: transitions 19
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a int_wrap.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

int x = 2147483647;
int y;

active proctype Wrap()
{
  do
  :: y < 2 -> x = x + 1; y++
  :: y > 0 -> break
  od;
  assert(x == -2147483647 - 1 || x == -2147483647);
  if
  :: x = x * 2
  :: x = -x
  fi
}
