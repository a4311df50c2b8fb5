// A new process listens from the first moment on: whether somebody takes the
// offer depends on who is first, Starter or Offerer.
// expect: verdict violated
// expect: errors 4
// expect: stored 12
// expect: matched 1
// expect: transitions 13
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a begins_to_listen.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan offer = [0] of { bit };

active proctype Starter()
{
  run Listener()
}

active proctype Offerer()
{
  if
  :: offer ! 1
  :: else -> assert(false)
  fi
}

proctype Listener()
{
  offer ? 1
}
