// Macros without arguments, also with a condition as their text.
// expect: verdict holds
// expect: errors 0
// expect: stored 41
// expect: matched 24
// expect: transitions 65
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a macro_object.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#define LIMIT   4
#define STEP    (LIMIT / 2)
#define at_top  (x >= LIMIT)

byte x;

active [2] proctype Climb()
{
  do
  :: !at_top -> x = x + STEP
  :: at_top -> break
  od;
  assert(at_top && x <= LIMIT + STEP)
}
