// Channel predicates: len, full, empty, and the opposites nfull and nempty.
// expect: verdict holds
// expect: errors 0
// expect: stored 46
// expect: matched 23
// expect: transitions 69
// expect: atomic 9
// expect: depth 15
// spin: spin -o1 -o2 -o3 -a len_full_empty.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { bit };
byte most;

active proctype Fill()
{
  do
  :: nfull(q) -> q ! 1
  :: atomic { full(q) -> assert(len(q) == 2) }; break
  od
}

active proctype Drain()
{
  do
  :: len(q) > most -> most = len(q)
  :: nempty(q) && most < 2 -> q ? 1
  :: empty(q) && most == 2 -> assert(false)
  :: most == 2 -> break
  :: timeout -> break
  od
}
