// Priorities read and changed at run time.
// differs: Spin takes back a set_priority of a process that has died wrongly.
// spinor: verdict holds
// spinor: errors 0
// spinor: stored 28
// spinor: matched 6
// spinor: transitions 34
// spinor: atomic 0
// spinor: depth 12
// expect: verdict holds
// expect: errors 0
// expect: stored 33
// expect: matched 6
// expect: transitions 39
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a priority_set_get.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte log;

active proctype A() priority 3
{
  assert(get_priority(_pid) == 3);
  log = log * 3 + 1;
  set_priority(_pid, 1);
  log = log * 3 + 1;
  set_priority(1, 9)
}

active [2] proctype B() priority 2
{
  log = log * 3 + 2;
  log = log * 3
}
