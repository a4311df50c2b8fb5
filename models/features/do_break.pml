// break leaves the innermost loop. As the only statement of an option it is a
// step; after another statement it costs nothing.
// expect: verdict holds
// expect: errors 0
// expect: stored 34
// expect: matched 4
// expect: transitions 38
// expect: atomic 0
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a do_break.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte i, j;

active proctype Loops()
{
  do
  :: i < 2 ->
     do
     :: j < 2 -> j++
     :: break
     :: j == 2 -> j = 0; break
     od;
     i++
  :: i == 2 -> break
  od;
  assert(i == 2)
}
