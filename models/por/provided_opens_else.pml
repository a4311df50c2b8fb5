// A listens only while `open` is true. So O, which never uses the channel, decides whether the `else`
// beside the send of B can be taken.
// expect: verdict violated
// expect: errors 3
// expect: stored 13
// expect: matched 2
// expect: transitions 15
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a provided_opens_else.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
chan c = [0] of { bit };
bool open;

active proctype A() provided (open)
{
  c ? 1
}

active proctype O()
{
  open = true
}

active proctype B()
{
  if
  :: c ! 1
  :: else -> assert(false)
  fi
}
