// References to processes that are not there yet, have left, or wait for
// younger ones to leave: what is not there is 0 and at no label. A pid may
// be given again.
// expect: verdict holds
// expect: errors 0
// expect: stored 97
// expect: matched 111
// expect: transitions 208
// expect: atomic 0
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a remote_gone.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype P(byte id)
{
  byte x = P:id;

work:
  x = id + P[_pid + 1]:x;
  assert(x >= id && x <= id + 3)
}

init
{
  pid first, second;

  assert(P[7]:x == 0 && !P[1]@work && P:id == 0);
  first = run P(1);
  assert(P[first]:id == 1 || _nr_pr == 1);
  second = run P(2);
  do
  :: P[first]@work -> assert(P[first]:id <= 1 || first == second)
  :: P[second]:x == P[second]:id -> skip
  :: _nr_pr == 1 -> break
  od;
  assert(P[first]:id == 0 && P[second]:x == 0)
}
