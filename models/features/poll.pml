// q ? [ m ] is an expression: is there such a message at the head of the queue?
// q ?? [ m ] asks for one anywhere. Nothing is received.
// expect: verdict holds
// expect: errors 0
// expect: stored 22
// expect: matched 4
// expect: transitions 26
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a poll.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte, bool };
byte found;

active proctype Sender()
{
  q ! 1, true;
  q ! 2, false
}

active proctype Watcher()
{
  byte x;

  do
  :: q ? [1, true] -> found = 1; q ? x, _
  :: q ?? [2, false] && found < 3 -> found = 3
  :: q ? [2, _] -> assert(len(q) == 1); break
  od
}
