// Comments of both kinds, also inside a statement /* and across lines */.
// expect: verdict holds
// expect: errors 0
// expect: stored 26
// expect: matched 15
// expect: transitions 41
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a comments.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x; /* a
   comment
   over lines */ byte y;

active [2] proctype A(/* none */) // to the end of the line
{
  x /* here */ = /* and here */ x + 1;
  /* if :: false -> */ y = x; // y = 7
  assert(y /* not 0 */ != 0)
}
