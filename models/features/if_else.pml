// An if blocks until one of its options can move; else is taken when none of
// the others can, wherever it stands among them.
// expect: verdict holds
// expect: errors 0
// expect: stored 29
// expect: matched 5
// expect: transitions 34
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a if_else.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;
byte log;

active proctype Change()
{
  x = 1;
  x = 2
}

active proctype Look()
{
  if
  :: else -> log = 1
  :: x == 1 -> log = 2
  :: x > 0 -> log = 3
  fi;
  if
  :: x == 2 -> log = log + 10
  fi
}
