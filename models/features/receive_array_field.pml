// A message received into elements of arrays and fields of structures.
// expect: verdict holds
// expect: errors 0
// expect: stored 43
// expect: matched 28
// expect: transitions 71
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a receive_array_field.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Cell { byte v[2] };

chan q = [2] of { byte, byte };
Cell c;
byte i;

active proctype Sender()
{
  q ! 1, 8;
  q ! 0, 9
}

active proctype Receiver()
{
  q ? c.v[i], c.v[1 - i];
  i++;
  q ? _, c.v[i];
  assert(c.v[0] == 1)
}

active proctype Env() { c.v[1] = 3 }
