// An end label inside an atomic sequence marks the place where it may block
// for ever.
// expect: verdict holds
// expect: errors 0
// expect: stored 29
// expect: matched 23
// expect: transitions 52
// expect: atomic 33
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a end_label_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Worker()
{
  atomic {
    x++;
end_here:
    x > 2;
    x = 9
  }
}

active proctype Env()
{
  if
  :: x++
  :: skip
  fi
}
