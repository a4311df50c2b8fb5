// The listener, and the process that decides whether it listens, are started while B waits.
// expect: verdict violated
// expect: errors 2
// expect: stored 19
// expect: matched 5
// expect: transitions 24
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a provided_opens_run.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
chan c = [0] of { bit };
bool open;
byte started;

proctype A() provided (open)
{
  c ? 1
}

proctype O()
{
  open = true
}

active proctype R()
{
  run A();
  run O();
  started = 2
}

active proctype B()
{
  started == 2;
  assert(false) unless { c ! 1 }
}
