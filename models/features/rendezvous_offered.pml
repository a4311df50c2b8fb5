// While a message is offered in a channel without buffer, the channel holds it: those who may
// receive it see that, in their `provided` clauses and in what they match, and nobody else.
// expect: verdict holds
// expect: errors 0
// expect: stored 176
// expect: matched 361
// expect: transitions 537
// expect: atomic 0
// expect: depth 67
// spin: spin -o1 -o2 -o3 -a rendezvous_offered.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };
chan d = [0] of { byte };
chan e = [0] of { byte };
byte got;
byte seen;

active proctype Sender()
{
  do
  :: c ! 1
  :: d ! 0
  :: e ! 0
  :: e ! 1
  :: seen < 2 -> seen = len(c) + len(d) + 1
  od
}

active proctype NotOffered() provided (len(c) != 1)
{
  do
  :: c ? _ -> assert(false)
  :: d ? 0 -> got = 1
  od
}

active proctype Full() provided (full(c) || got < 2)
{
  do
  :: c ? _ -> got = 2
  od
}

active proctype Empty() provided (empty(c) && nfull(c))
{
  do
  :: c ? _ -> assert(false)
  od
}

active proctype Matching()
{
  do
  :: e ? eval(len(e)) -> got = 3; assert(len(e) == 0)
  od
}
