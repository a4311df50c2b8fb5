// Each process has two channels of its own and sends both of them around. Whoever gets a channel
// answers there; the owner must find the answer in the channel for which it is meant.
// expect: verdict holds
// expect: errors 0
// expect: stored 1925
// expect: matched 6536
// expect: transitions 8461
// expect: atomic 18464
// expect: depth 999
// spin: spin -o1 -o2 -o3 -a mailboxes.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
#ifndef N
#define N 2
#endif

chan post = [1] of { chan, bit };

active [N] proctype P()
{
  chan ask = [1] of { bit };
  chan tell = [1] of { bit };
  chan other;
  bit kind;
end:
  do
  :: post ! ask, 0
  :: post ! tell, 1
  :: atomic {
       post ? other, kind;
       if
       :: nfull(other) -> other ! kind
       :: full(other)
       fi;
       kind = 0
     }
  :: atomic { ask ? kind -> assert(kind == 0); kind = 0 }
  :: atomic { tell ? kind -> assert(kind == 1); kind = 0 }
  od
}
