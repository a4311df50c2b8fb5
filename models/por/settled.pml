// Channels that get their names while the model runs: two for good, before anybody moves, and one that
// is another one now and then.
// expect: verdict violated
// expect: errors 8
// expect: stored 150
// expect: matched 196
// expect: transitions 346
// expect: atomic 5
// expect: depth 21
// spin: spin -o1 -o2 -o3 -a settled.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan a = [1] of { byte };
chan b = [1] of { byte };
chan c = [1] of { byte };
chan left, right, changing;

proctype Left() { left ! 1; left ! 2 }
proctype Right() { byte x; right ? x; assert(x == 7) }
proctype Watcher()
{
  byte x;

  changing ? x;
  assert(x != 9)
}

init {
  atomic {
    left = a;
    right = b;
    changing = c;
    run Left();
    run Right();
    run Watcher()
  };
  b ! 7;
  changing = a;
  c ! 9;
  changing = b;
  changing = c
}
