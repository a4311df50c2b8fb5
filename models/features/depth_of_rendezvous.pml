// Offers on a rendezvous channel that find no partner: they store nothing, but
// the search goes one level deeper to find that out. Here they never find one,
// and the processes that wait for one are in an invalid end state.
// expect: verdict violated
// expect: errors 2
// expect: stored 14
// expect: matched 4
// expect: transitions 18
// expect: atomic 0
// expect: depth 5
// spin: spin -o1 -o2 -o3 -a depth_of_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
byte x;

active [2] proctype Offer()
{
  if
  :: c ! 1
  :: x == 0 -> x = 1
  :: c ! 2
  fi
}

active proctype Accept()
{
  (x == 1);
  end: c ? 3
}
