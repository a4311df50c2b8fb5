// The operators with their precedences and C meaning; % and / round towards 0,
// and comparisons give 0 or 1. Expressions are 32 bits wide.
// expect: verdict holds
// expect: errors 0
// expect: stored 29
// expect: matched 5
// expect: transitions 34
// expect: atomic 0
// expect: depth 17
// spin: spin -o1 -o2 -o3 -a expr_ops.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

int x = -7;

active proctype Ops()
{
  assert(x / 2 == -3 && x % 2 == -1 && -x == 7);
  assert(1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 7 - 2 - 1 == 4);
  assert((6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5 && ~0 == -1);
  assert(1 << 3 == 8 && -8 >> 1 == -4 && 1 << 2 + 1 == 8);
  assert((3 > 2) + (2 >= 2) + (1 != 2) == 3);
  assert(!(x == 3) && !0 == 1 && !5 == 0);
  x = 2147483647;
  do
  :: x > 0 -> x = x / 1024
  :: x > 100 -> x = x >> 5
  :: x == 0 -> break
  od
}
