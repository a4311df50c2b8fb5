// A sender that may lose its message for ever: sending again is no progress.
// The receiver is always ready, but only the loss decides whether it gets
// something, and fairness to processes does not change that.
// expect: progress violated
// expect: progress weak violated
// expect: progress strong violated

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
