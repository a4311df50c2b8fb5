// C begins with where A is. So starting C depends on what A does, though B, which starts it, has
// nothing to do with A.
// expect: verdict violated
// expect: errors 2
// expect: stored 16
// expect: matched 8
// expect: transitions 24
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a first_values_label.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
active proctype A()
{
  byte x;
  x = 1;
middle:
  x = 2;
end:
  x == 7
}

active proctype B()
{
  run C();
end:
  false
}

proctype C()
{
  byte y = A[0]@middle;
  assert(y != 1)
}
