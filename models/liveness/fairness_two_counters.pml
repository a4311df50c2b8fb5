// Two counters that have nothing to do with each other; being in the first one
// is accepting. Without fairness there is an acceptance cycle in which one
// process moves alone; under fairness a cycle needs steps of both.
// expect: acceptance violated
// expect: acceptance weak violated
// expect: acceptance strong violated

active proctype Accepting()
{
  byte round;

accept:
  do
  :: round = (round + 1) % 2
  od
}

active proctype Other()
{
  byte round;

  do
  :: round = (round + 1) % 2
  od
}
