// Two counters that have nothing to do with each other; being in the first one
// is accepting. Without fairness there is an acceptance cycle in which one
// process moves alone; under fairness a cycle needs steps of both.
// expect: verdict holds
// expect: errors 0
// expect: stored 4
// expect: matched 5
// expect: transitions 9
// expect: atomic 0
// expect: depth 3
// expect: acceptance violated
// expect: acceptance weak violated
// expect: acceptance strong violated
// spin: spin -o1 -o2 -o3 -a fairness_two_counters.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

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
