// _nr_pr counts the processes that have not disappeared yet.
// expect: verdict holds
// expect: errors 0
// expect: stored 25
// expect: matched 14
// expect: transitions 39
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a nr_pr.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype Child() { skip }

init {
  assert(_nr_pr == 1);
  run Child();
  assert(_nr_pr <= 2);
  run Child();
  if
  :: _nr_pr == 3
  :: _nr_pr < 3
  fi;
  (_nr_pr == 1);
  assert(_nr_pr == 1)
}
