// A channel variable that holds a rendezvous channel first and one with a buffer later: where the processes
// are and what they can do may be the same, though a message is offered in one state and not in the other.
// expect: verdict violated
// expect: errors 10
// expect: stored 314
// expect: matched 314
// expect: transitions 628
// expect: atomic 0
// expect: depth 42
// spin: spin -o1 -o2 -o3 -a now_and_then_offered.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y, z, w, unused;
chan c = [1] of { byte };
chan d = [1] of { byte };
chan e = [0] of { byte };

active proctype Taker()
{
  byte got;
  chan own = e;

end:
  do
  :: own ! 0 -> y = x; own ? 2
  :: c ? got
  :: d ? got -> own = d
  :: unused >= 2 -> break
  od
}

active proctype Giver()
{
  byte seen; // spinor: allow(unused-variable)
  chan own = e; // spinor: allow(unused-variable)

  do
  :: c ! 1 ->
     if
     :: d_step { empty(c) && x == 0; own = d; seen = w <= 0; y = w != 1 } -> own = e
     :: else
     :: c ! 2 -> z = unused <= 0
     fi
  :: d ! 1
  od;
  e ? unused
}
