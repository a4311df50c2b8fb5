// A pipeline: the first process makes a value, the others take it from the
// left, work on it, and all but the last hand it to the right.
// Follows: [002, the table of its conclusions], from the description.
// expect: verdict holds
// expect: errors 0
// expect: stored 12
// expect: matched 9
// expect: transitions 21
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a pipeline.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

#ifndef N
#define N 3
#endif

chan link[N] = [0] of { bit };

active proctype Source()
{
end:
  do
  :: skip; link[0] ! 1              // make a value
  od
}

active [N - 2] proctype Stage()
{
end:
  do
  :: link[_pid - 1] ? 1; skip; link[_pid] ! 1
  od
}

active proctype Sink()
{
end:
  do
  :: link[_pid - 1] ? 1; skip
  od
}
