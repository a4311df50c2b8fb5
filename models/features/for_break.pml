// break and goto leave a for loop like any other loop.
// expect: verdict holds
// expect: errors 0
// expect: stored 23
// expect: matched 0
// expect: transitions 23
// expect: atomic 0
// expect: depth 18
// spin: spin -o1 -o2 -o3 -a for_break.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte hits;

active proctype Breaks()
{
  byte i;

  for (i : 0 .. 5) {
    if
    :: i < 3 -> hits++
    :: i >= 2 -> break
    :: i == 4 -> goto out
    fi
  };
  assert(i >= 2 && i <= 5);
out:
  hits = hits + i
}
