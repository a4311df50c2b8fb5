// An atomic sequence that may go round for ever. While it does, no other
// process is enabled, so such an execution is fair, but it passes no state:
// no formula is evaluated, and nobody can say whether it would be accepted. A
// search for cycles leaves its answer open, unless there is a counterexample
// elsewhere: without fairness Spinner may move alone.
// expect: ltl chosen violated
// expect: ltl chosen weak inconclusive
// expect: ltl chosen strong inconclusive
// expect: ltl calm weak violated
// expect: ltl calm strong violated
// expect: progress violated
// expect: progress weak inconclusive
// expect: progress strong inconclusive

byte g, x;

ltl chosen { <> (g == 1) }
ltl calm { <> [] (x == 0) }

active proctype Chooser()
{
  atomic {
    do
    :: g = 2
    :: g = 1 -> break
    od
  };
  do
  :: g == 1 ->
progress:
     skip
  od
}

active proctype Spinner()
{
  do
  :: x = 1 - x
  od
}
