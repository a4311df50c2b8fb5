// A loop inside an atomic sequence, left by break.
// expect: verdict holds
// expect: errors 0
// expect: stored 70
// expect: matched 55
// expect: transitions 125
// expect: atomic 238
// expect: depth 24
// spin: spin -o1 -o2 -o3 -a atomic_loop.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

active [2] proctype Loop()
{
  byte n;

  atomic {
    do
    :: n < 2 -> n++; x++
    :: n > 0 -> y++; break
    :: n == 2 -> break
    od
  };
  assert(x <= 4)
}
