// When a run stops and processes are still there, a trace that is not at its
// end is reported like a process that is not.
// expect: verdict violated
// expect: errors 1
// expect: stored 8
// expect: matched 2
// expect: transitions 10
// expect: atomic 0
// expect: depth 4
// spin: spin -o1 -o2 -o3 -a trace_end.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { bit };

trace {
  q ! 0;
  q ! 1
}

active proctype Sender()
{
  q ! 0;
  if
  :: q ! 1
  :: skip
  fi
}

active proctype Receiver()
{
end:
  do
  :: q ? _
  od
}
