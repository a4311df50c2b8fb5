// A listens only while `open` is true. So O, which never uses the channel, decides whether B can
// send, and with it whether the assertion that the send escapes from is reached.
// expect: verdict violated
// expect: errors 2
// expect: stored 11
// expect: matched 1
// expect: transitions 12
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a provided_opens.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
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
  assert(false) unless { c ! 1 }
}
