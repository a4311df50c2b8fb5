// The local variables of a finished process remain part of the state until it
// disappears, and here it cannot disappear before the younger process does.
// expect: verdict holds
// expect: errors 0
// expect: stored 33
// expect: matched 31
// expect: transitions 64
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a locals_until_death.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool release;

active proctype Older()
{
  byte x; // spinor: allow(unused-variable)

  if
  :: x = 1
  :: x = 2
  :: x = 3
  fi
}

active proctype Younger()
{
  release;
  release = false
}

active proctype Free() { release = true }
