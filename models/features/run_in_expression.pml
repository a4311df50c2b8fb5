// run is an operator. Its value, the number of the new process, may be part of
// what is assigned; as a guard it has to stand alone.
// expect: verdict holds
// expect: errors 0
// expect: stored 27
// expect: matched 16
// expect: transitions 43
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a run_in_expression.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, done;

proctype Child() { done++ }

init {
  x = 10 + run Child();
  assert(x == 11);
  if
  :: run Child() -> x = 20
  :: done == 1 -> x = 30
  fi
}
