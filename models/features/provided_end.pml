// Also the last step, in which a process disappears, needs the provided clause.
// If the gate is closed before the guest has moved, it is stuck; if afterwards,
// it is at its end, stays there, and keeps the gate from leaving, too.
// expect: verdict violated
// expect: errors 1
// expect: stored 10
// expect: matched 2
// expect: transitions 12
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a provided_end.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool open = true;
byte x;

active proctype Gate()
{
  x++;
  open = false
}

active proctype Guest() provided (open)
{
  x++
}
