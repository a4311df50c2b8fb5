// An atomic sequence gives up control where it blocks. That intermediate state
// is stored, and the rest is executed in one go again later.
// expect: verdict holds
// expect: errors 0
// expect: stored 30
// expect: matched 18
// expect: transitions 48
// expect: atomic 53
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a atomic_block.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;
bool key;

active [2] proctype Worker()
{
  atomic {
    x++;
    key;
    key = false;
    x = x + 2
  }
}

active proctype Keys()
{
  key = true;
  (!key);
  key = true
}
