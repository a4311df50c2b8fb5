// eval(x) in a receive matches the present value of x instead of assigning it.
// expect: verdict holds
// expect: errors 0
// expect: stored 30
// expect: matched 9
// expect: transitions 39
// expect: atomic 0
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a eval.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [2] of { byte, byte };
byte turn;

active [2] proctype Sender()
{
  q ! _pid, 7
}

active proctype Receiver()
{
  byte x;

  do
  :: q ?? eval(turn), x -> assert(x == 7); turn++; x = 0
  :: q ? eval(turn + 1), x -> turn = turn + 10; break
  :: turn == 2 -> break
  od
}
