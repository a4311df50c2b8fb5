// Two families of processes over one set of names: to the name i belong W(i) and H(i), and either may
// have left its number in m[i]. An exchange turns the number of a W into that of the other W, and not
// into that of an H.
// expect: verdict violated
// expect: errors 6
// expect: stored 10
// expect: matched 40
// expect: transitions 50
// expect: atomic 15
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a two_pids.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0
byte m[3];

proctype W(byte i)
{
  do
  :: m[i] = _pid
  :: atomic { m[i] == _pid -> assert(false) }
  od
}

proctype H(byte i)
{
  do
  :: atomic { m[i] == _pid -> m[i] = _pid }
  :: m[i] = _pid
  od
}

init {
  atomic {
    run W(1);
    run W(2);
    run H(1);
    run H(2)
  }
}
