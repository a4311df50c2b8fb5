// The underscore is a variable that is only written: it discards a field.
// expect: verdict holds
// expect: errors 0
// expect: stored 247
// expect: matched 273
// expect: transitions 520
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a wildcard.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte, byte };
byte sum;

active proctype Sender()
{
  q ! 1, 2;
  q ! 3, 4;
  _ = 5
}

active [2] proctype Receiver()
{
  byte x;

  if
  :: q ? x, _
  :: q ? _, x
  fi;
  sum = sum + x;
  assert(sum <= 6)
}
