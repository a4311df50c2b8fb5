// A sender that may lose its message for ever: sending again is no progress.
// The receiver is always ready, but only the loss decides whether it gets
// something, and fairness to processes does not change that.
// expect: verdict holds
// expect: errors 0
// expect: stored 4
// expect: matched 3
// expect: transitions 7
// expect: atomic 0
// expect: depth 3
// expect: progress violated
// expect: progress weak violated
// expect: progress strong violated
// spin: spin -o1 -o2 -o3 -a progress_retry.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan line = [1] of { byte };

active proctype Sender()
{
  do
  :: line ! 1
  od
}

active proctype Line()
{
  do
  :: line ? _
  :: line ? 1 ->
progress:
     skip
  od
}
