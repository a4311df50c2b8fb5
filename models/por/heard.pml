// Two processes that have nothing to do with each other, but a trace hears
// both. The order that it forbids is not the one that comes first.
// expect: verdict violated
// expect: errors 1
// expect: stored 10
// expect: matched 1
// expect: transitions 11
// expect: atomic 0
// expect: depth 4
// spin: spin -o1 -o2 -o3 -a heard.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan a = [1] of { bit };
chan b = [1] of { bit };

active proctype A()
{
  a ! 1
}

active proctype B()
{
  b ! 1
}

trace {
  b ! 1; a ! 1
}
