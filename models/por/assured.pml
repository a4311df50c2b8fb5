// Relays that move a message only if there is one and there is room for it. What the guard makes sure
// of holds for the first receive and the first send behind it, but not for the second ones of Greedy.
// expect: verdict violated
// expect: errors 4
// expect: stored 381
// expect: matched 404
// expect: transitions 785
// expect: atomic 266
// expect: depth 28
// spin: spin -o1 -o2 -o3 -a assured.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan source = [2] of { byte };
chan sink = [2] of { byte };
byte moved;

active proctype Producer()
{
  byte n;

  do
  :: n < 3 -> n++; source ! n
  :: n == 3 -> break
  od
}

active proctype Relay()
{
  byte x;

end:
  do
  :: atomic { nempty(source) && nfull(sink) -> source ? x; sink ! x }
  od
}

active proctype Greedy()
{
  byte x, y;

  atomic { len(source) > 0 && len(sink) < 2 -> source ? x; source ? y; sink ! x };
  sink ! y
}

active proctype Consumer()
{
  byte x;

end:
  do
  :: sink ? x -> moved++; assert(moved <= 3)
  :: full(sink) -> skip
  od
}
