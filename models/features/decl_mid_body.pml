// A declaration after the first statement is a step: the variable is assigned
// again on every pass, zero when there is no initialiser.
// expect: verdict holds
// expect: errors 0
// expect: stored 28
// expect: matched 0
// expect: transitions 28
// expect: atomic 0
// expect: depth 23
// spin: spin -o1 -o2 -o3 -a decl_mid_body.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte rounds;

active proctype Loop()
{
  do
  :: rounds < 3 ->
     byte x = 4;
     byte y;
     assert(x == 4 && y == 0);
     x++;
     y = x;
     rounds++
  :: rounds > 0 -> break
  od
}
