// skip, true and (1) are steps like any other; a false expression blocks.
// expect: verdict holds
// expect: errors 0
// expect: stored 56
// expect: matched 41
// expect: transitions 97
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a skip_true_one.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Steps()
{
  skip;
  true;
  (1);
  x++;
  if
  :: x == 2
  :: false -> assert(false) // spinor: allow(unreachable-option)
  :: x != 2 -> skip
  fi
}
