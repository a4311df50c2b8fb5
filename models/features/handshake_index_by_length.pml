// A receiver that stores what it takes where the length of a buffer says.
// expect: verdict holds
// expect: errors 0
// expect: stored 134
// expect: matched 329
// expect: transitions 463
// expect: atomic 0
// expect: depth 84
// spin: spin -o1 -o2 -o3 -a handshake_index_by_length.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan give  = [0] of { bit };
chan queue = [3] of { bit };
bit  place[4];

active proctype Giver()
{
  do
  :: give ! 1
  :: give ! 0
  od
}

active proctype Taker()
{
  do
  :: give ? place[len(queue)]
  :: place[3] == 1 -> place[0] = 0
  od
}

active proctype Filler()
{
  bit x;

  do
  :: queue ! 1
  :: queue ? x
  od
}
