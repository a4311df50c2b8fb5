// Labels inside an atomic sequence that never ends, which a handshake begins:
// there is no state at them, so they do not count, as with Spin. The sequence
// of Waiter changes nothing at all.
// expect: acceptance inconclusive
// expect: acceptance weak inconclusive
// expect: acceptance strong inconclusive
// expect: progress inconclusive
// expect: progress weak inconclusive
// expect: progress strong inconclusive
// expect: ltl started inconclusive
// expect: ltl started weak inconclusive

chan start = [0] of { bit };
byte g;

ltl started { <> (g > 0) }

active proctype Starter()
{
  start ! 0;
end:
  start ! 0
}

active proctype Runner()
{
  atomic {
    start ? 0;
    g = 1;
accept_inside:
progress_inside:
    do
    :: g = 3 - g
    od
  }
}

active proctype Waiter()
{
  atomic {
    (g == 0);
    do
    :: g == 0
    od
  }
}
