// Flipper goes round in a circle, and so does Reader while there is nothing to
// read. Where the only process of an ample set sleeps, its step is taken
// elsewhere: the others must not be left to wait for it.
// expect: verdict holds
// expect: errors 0
// expect: stored 116
// expect: matched 249
// expect: transitions 365
// expect: atomic 0
// expect: depth 63
// spin: spin -o1 -o2 -o3 -a sleeping_ample.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte flip;
bit seen[2];
chan c = [2] of { bit, bit };

active proctype Writer()
{
  byte i, j;

  seen[0] = seen[1] == seen[flip % 2];
  for (i in seen) {
    flip = 0;
    for (j in seen) {
      c ! 0, 0
    }
  };
  do
  :: c ! seen[0], 0
  od
}

active proctype Flipper()
{
  do
  :: flip = (flip + 1) % 2
  od
}

active proctype Reader()
{
  bit got = 1;

  do
  :: c ? 0, got ->
     do
     :: nfull(c)
     :: else -> break
     od
  :: len(c) - 1 != 0
  od
}
