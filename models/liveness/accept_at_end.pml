// A process that stops at an accept label stays there for ever.
// expect: verdict violated
// expect: errors 1
// expect: stored 2
// expect: matched 0
// expect: transitions 2
// expect: atomic 0
// expect: depth 1
// expect: acceptance violated
// spin: spin -o1 -o2 -o3 -a accept_at_end.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype P()
{
  x = 1;
accept:
  (x == 2)
}
