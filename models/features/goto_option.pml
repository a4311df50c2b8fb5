// goto costs nothing after a statement, but is a step of its own as the first
// statement of an option.
// expect: verdict holds
// expect: errors 0
// expect: stored 10
// expect: matched 3
// expect: transitions 13
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a goto_option.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Jump()
{
again:
  if
  :: x < 2 -> x++; goto again
  :: goto out
  :: x == 2 -> goto out
  fi;
  assert(false);
out:
  x = 9
}
