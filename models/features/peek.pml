// q ? < m > reads the first message and leaves it in the queue; q ?? < m > the
// first one that matches.
// expect: verdict holds
// expect: errors 0
// expect: stored 24
// expect: matched 5
// expect: transitions 29
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a peek.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [3] of { byte };
byte seen;

active proctype Sender()
{
  q ! 4;
  q ! 7
}

active proctype Reader()
{
  byte x;

  q ? <x>;
  assert(x == 4);
  if
  :: q ?? <7> -> seen = 1
  :: q ? <4> -> seen = 2
  fi;
  q ? x;
  q ? <x>;
  assert(x == 7 && len(q) == 1)
}
