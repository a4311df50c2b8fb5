// Inside a block a reference to the own proctype means the variable that is
// visible there, and otherwise that of the outermost block.
// expect: verdict holds
// expect: errors 0
// expect: stored 231
// expect: matched 288
// expect: transitions 519
// expect: atomic 0
// expect: depth 23
// spin: spin -o1 -o2 -o3 -a remote_scope.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active [2] proctype P()
{
  byte k = 1;

  assert(P[1 - _pid]:late <= 3);
  {
    byte x = 6;

    assert(P[1 - _pid]:x == 0 || P[1 - _pid]:x == 6 || P[1 - _pid]:x == 8);
    x = P[_pid]:x + k + 1
  };
  {
    byte x = 2;

    x = P[_pid]:x + k;
    assert(P[1 - _pid]:x <= 3)
  };
  byte late = 2;

  late = P[_pid]:late + P[_pid]:k
}

active proctype Q()
{
  assert(P[0]:k + P[1]:k == 2);
  P[1]:late == 3
}
