// Processes of one proctype look at each other's variables and labels. A
// variable may be declared behind the reference, a label may not.
// expect: verdict holds
// expect: errors 0
// expect: stored 373
// expect: matched 331
// expect: transitions 704
// expect: atomic 0
// expect: depth 32
// spin: spin -o1 -o2 -o3 -a remote_same_proctype.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active [2] proctype Peer()
{
  byte turns;
  bool wants;

  do
  :: turns < 2 ->
     wants = true;
wait:
     !(Peer[1 - _pid]:wants && Peer[1 - _pid]:turns < turns);
     assert(Peer[1 - _pid]:seen[turns] < 2);
     turns++;
     wants = false
  :: Peer[1 - _pid]@wait -> skip
  :: turns == 2 -> break
  od;
  byte seen[2];
  seen[Peer[1 - _pid]:turns > 1] = 1 + Peer[1 - _pid]:seen[1]
}
