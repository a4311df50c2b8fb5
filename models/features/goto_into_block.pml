// A jump into the middle of a loop.
// expect: verdict holds
// expect: errors 0
// expect: stored 18
// expect: matched 0
// expect: transitions 18
// expect: atomic 0
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a goto_into_block.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Enter()
{
  x = 2;
  goto middle;
  do
  :: x > 0 ->
     x--;
middle:
     x = x + 3;
     x = x - 3
  :: x < 2 -> break
  od;
  assert(x < 2)
}
