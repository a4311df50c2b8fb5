// A claim holds as long as its process lives. Whoever lets the owner end first
// misses that somebody else uses the channel before.
// expect: verdict holds
// expect: errors 0
// expect: stored 10
// expect: matched 4
// expect: transitions 14
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a claim_ends.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { bit };

active proctype Sender()
{
  skip;
  q ! 1
}

active proctype Owner()
{
  xs q;

  skip
}
