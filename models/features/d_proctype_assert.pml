// One step that breaks two properties: a second way out of a state of a
// D_proctype, and an assertion that fails. Both are counted.
// expect: verdict violated
// expect: errors 6
// expect: stored 11
// expect: matched 4
// expect: transitions 15
// expect: atomic 0
// expect: depth 4
// spin: spin -o1 -o2 -o3 -a d_proctype_assert.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active D_proctype Sure()
{
  if
  :: x = 1
  :: assert(x == 1)
  fi
}

active proctype Other() { x = 2 }
