// An if that begins an option is flattened into the choice around it. Its else
// then looks at the options before it in the flattened list, also the outer
// ones, but not at those that follow.
// expect: verdict holds
// expect: errors 0
// expect: stored 93
// expect: matched 59
// expect: transitions 152
// expect: atomic 0
// expect: depth 15
// spin: spin -o1 -o2 -o3 -a if_flatten_else.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, log;

active proctype Chooser()
{
  do
  :: x == 0 -> log = 1; x = 1
  :: if
     :: x == 1 -> log = 2; x = 2
     :: else -> log = 3; x = (x + 1) % 4
     fi
  :: x >= 2 -> log = 4; break
  od
}

active proctype Env() { x++ }
