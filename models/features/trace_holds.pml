// A trace assertion that holds; its automaton is part of the state.
// expect: verdict holds
// expect: errors 0
// expect: stored 12
// expect: matched 3
// expect: transitions 15
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a trace_holds.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { on, off };
chan lamp = [1] of { mtype, byte };
byte n;

trace {
  do
  :: lamp ! on, _; lamp ? on, _; lamp ! off, _; lamp ? off, _
  od
}

active proctype Switch()
{
  do
  :: lamp ! on, n; n = 1 - n; lamp ! off, n
  od
}

active proctype Lamp()
{
  byte x;

  do
  :: lamp ? on, x
  :: lamp ? off, x
  od
}
