// The number of a process that has disappeared is used again. The parent may
// wait for its child or not, so the second child has one of two numbers.
// expect: verdict holds
// expect: errors 0
// expect: stored 42
// expect: matched 25
// expect: transitions 67
// expect: atomic 4
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a pid_reuse.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte alive;

proctype Child() { alive-- }

init {
  pid p, q;

  atomic { alive++; p = run Child() };
  if
  :: _nr_pr == 1 -> skip
  :: true -> skip
  fi;
  atomic { alive++; q = run Child() };
  assert(p == 1 && (q == 1 || q == 2));
  (alive == 0);
end:
  skip
}
