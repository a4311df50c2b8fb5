// Logical operators evaluate from left to right and stop early, so the index
// on the right is never out of range.
// expect: verdict holds
// expect: errors 0
// expect: stored 25
// expect: matched 0
// expect: transitions 25
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a short_circuit.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[3] = { 5, 6, 7 };
byte i;
byte found;

active proctype Search()
{
  byte wanted;

  if
  :: wanted = 5
  :: wanted = 7
  :: wanted = 9
  fi;
  do
  :: i < 3 && a[i] == wanted -> found = i + 1; break
  :: i < 3 && a[i] != wanted -> i++
  :: i >= 3 || a[i] == 99 -> break
  od;
  assert((wanted == 9) == (found == 0))
}
