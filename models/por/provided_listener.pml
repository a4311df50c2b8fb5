// That a message can be sent depends on what its receiver waits for.
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 9
// expect: transitions 24
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a provided_listener.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte gate = 1;
chan wire = [0] of { bit };

active proctype Writer()
{
  gate = 0;
  gate = 1
}

active proctype Listener() provided (gate == 0)
{
end:
  do
  :: wire ? _
  od
}

active proctype Sender()
{
  byte own;

  do
  :: wire ! 1 -> own = 1; break
  :: own < 1 -> own = 2; own = 0
  od
}
