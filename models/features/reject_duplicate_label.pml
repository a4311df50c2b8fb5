// The same label twice in one proctype.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_duplicate_label.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A()
{
again:
  x++;
again:
  x--;
  if
  :: x == 0 -> goto again
  :: x > 0 -> skip
  fi
}
