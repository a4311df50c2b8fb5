// Named formulas. They have no influence on the state space of the model; each
// is checked in a run of its own, and both hold.
// expect: verdict holds
// expect: errors 0
// expect: stored 36
// expect: matched 25
// expect: transitions 61
// expect: atomic 0
// expect: depth 18
// expect: ltl exclusive holds
// expect: ltl changes holds
// spin: spin -o1 -o2 -o3 -a ltl_block.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool red = true, green;
byte cars;

ltl exclusive { [] !(red && green) }
ltl changes   { [] <> green }

active proctype Light()
{
  do
  :: red -> red = false; green = true
  :: green -> green = false; red = true
  od
}

active proctype Cars()
{
  do
  :: green -> cars = (cars + 1) % 3
  od
}
