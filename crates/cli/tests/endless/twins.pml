// Two processes that can be exchanged, each with an atomic sequence that may
// never end.
// expect: ltl never_both violated
// expect: ltl never_both weak violated
// expect: ltl never_both strong violated
// expect: ltl somebody inconclusive
// expect: ltl somebody weak inconclusive
// expect: ltl somebody strong inconclusive

byte count;

ltl never_both { [] <> (count == 2) }
ltl somebody { <> (count == 1) }

active [2] proctype Twin()
{
  bit k;

  atomic {
    do
    :: k = 1 - k
    :: k == 1 -> break
    od
  };
  do
  :: count == 0 -> count = 1; count = 0
  od
}
