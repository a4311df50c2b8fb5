// A message that is offered inside an atomic sequence moves a process that could not move before
// it, and what a property says about that process changes with the first step of the sequence.
// expect: verdict holds
// expect: errors 0
// expect: stored 21
// expect: matched 12
// expect: transitions 33
// expect: atomic 27
// expect: depth 16
// expect: ltl stays violated
// spin: spin -o1 -o2 -o3 -a inner_handshake.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool heard;
byte done;
chan wire = [0] of { bit };

active proctype Listener()
{
end:
  do
  :: atomic { wire ? _; wire ? _; heard = 1 }
  od
}

active [2] proctype Caller()
{
  atomic { heard < 2 -> wire ! 1; wire ! 0 };
  done = 0
}

ltl stays { [] (Listener[0]@end) }
