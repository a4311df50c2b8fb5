// An assertion that fails in some of the runs. The search goes on behind it as
// if it had held.
// expect: verdict violated
// expect: errors 7
// expect: stored 63
// expect: matched 40
// expect: transitions 103
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a assert_fail.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Race()
{
  byte t;

  t = x;
  x = t + 1
}

active proctype Check()
{
  (_nr_pr == 3);
  if
  :: x == 2 -> skip
  :: x > 0 -> assert(x == 2)
  fi
}
