// A declaration in the body of a loop is assigned again in every iteration.
// expect: verdict holds
// expect: errors 0
// expect: stored 241
// expect: matched 210
// expect: transitions 451
// expect: atomic 0
// expect: depth 30
// spin: spin -o1 -o2 -o3 -a for_decl_body.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte sum;

active [2] proctype Fresh()
{
  byte i;

  for (i : 1 .. 2) {
    byte twice = 2 * i, once;
    once = once + i;
    sum = sum + twice - once
  }
}
