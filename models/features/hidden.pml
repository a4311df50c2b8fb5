// A hidden variable is not part of the state: its value must not matter for
// the future, and two states that differ only in it are the same state.
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 8
// expect: transitions 23
// expect: atomic 0
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a hidden.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

hidden byte scratch;
byte x;

active proctype Work()
{
  do
  :: x < 4 ->
     if
     :: scratch = x
     :: scratch = x + 10
     :: scratch = x + 20
     fi;
     x++
  :: else -> break
  od
}
