// select with two literal numbers close to each other is a choice between as
// many assignments.
// expect: verdict holds
// expect: errors 0
// expect: stored 486
// expect: matched 457
// expect: transitions 943
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a select_literal.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte total;

active [2] proctype Dice()
{
  byte d;

  select (d : 1 .. 6);
  total = total + d;
  assert(total >= 1 && total <= 12)
}
