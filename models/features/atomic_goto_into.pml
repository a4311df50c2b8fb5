// A jump from outside into the middle of an atomic sequence: from there on it
// is atomic.
// expect: verdict holds
// expect: errors 0
// expect: stored 22
// expect: matched 7
// expect: transitions 29
// expect: atomic 13
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a atomic_goto_into.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Enter()
{
  if
  :: x == 0 -> goto inside
  :: x > 0 -> x++
  fi;
  atomic {
    x++;
inside:
    x = x + 2;
    x--
  }
}
