// select with literals further apart than 32 counts, too; its last step tests
// differently from that of select with an expression as bound.
// expect: verdict holds
// expect: errors 0
// expect: stored 481
// expect: matched 357
// expect: transitions 838
// expect: atomic 0
// expect: depth 84
// spin: spin -o1 -o2 -o3 -a select_far.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte limit = 50;

active proctype Far()
{
  byte x;

  select (x : 1 .. 40);
  assert(x < limit)
}

active proctype Env() { limit = 41 }
