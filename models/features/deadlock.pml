// Two processes take two locks in opposite orders. The state where each holds
// one of them is an invalid end state.
// expect: verdict violated
// expect: errors 1
// expect: stored 10
// expect: matched 5
// expect: transitions 15
// expect: atomic 8
// expect: depth 13
// spin: spin -o1 -o2 -o3 -a deadlock.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool a, b;

inline lock(m)   { atomic { !m -> m = true } }
inline unlock(m) { m = false }

active proctype Up()
{
  do
  :: lock(a); lock(b); unlock(b); unlock(a)
  od
}

active proctype Down()
{
  do
  :: lock(b); lock(a); unlock(a); unlock(b)
  od
}
