// An option needs at least one statement.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_empty_option.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  if
  ::
  :: skip
  fi
}
