// What the receiver of a message does that is offered inside an atomic sequence is part of the
// move that begins with the sequence, though the receiver could not move before it.
// expect: verdict violated
// expect: errors 2
// expect: stored 96
// expect: matched 100
// expect: transitions 196
// expect: atomic 48
// expect: depth 15
// spin: spin -o1 -o2 -o3 -a later_offer.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte last;
chan wire = [0] of { bit };
chan gate = [1] of { bit };

active proctype Writer()
{
  byte own;

  do
  :: own < 2 -> own++; last = 1
  :: gate ? _ -> own = 5; break
  od
}

active proctype Listener()
{
  do
  :: wire ? last
  :: gate ! 0
  od
}

active proctype Caller()
{
  byte own;

  atomic { own < 1 -> own++; wire ! 0 }
}
