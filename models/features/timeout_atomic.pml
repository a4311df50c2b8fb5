// An atomic sequence that blocks half-way lets the others move, and timeout
// inside it is true only when nobody else can.
// expect: verdict holds
// expect: errors 0
// expect: stored 19
// expect: matched 8
// expect: transitions 27
// expect: atomic 18
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a timeout_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Worker()
{
  atomic {
    x++;
    timeout;
    x++;
    x++
  }
}

active proctype Other()
{
  (x > 0);
  x = x + 10
}
