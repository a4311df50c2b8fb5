// Messages left in a channel do not make an end state invalid.
// expect: verdict holds
// expect: errors 0
// expect: stored 35
// expect: matched 21
// expect: transitions 56
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a valid_end_messages.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [3] of { byte };

active [2] proctype Leave()
{
  q ! _pid;
  if
  :: q ?? eval(_pid)
  :: nfull(q)
  fi
}
