// What only a claim may ask: who moved last, who could move, where a process
// is, whether nobody can move unless by timeout, and an assertion about it.
// expect: verdict holds
// expect: errors 0
// expect: stored 11
// expect: matched 0
// expect: transitions 11
// expect: atomic 0
// expect: depth 10
// expect: never violated
// expect: never weak violated
// spin: spin -o1 -o2 -o3 -a claim_words.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte ticks;

active proctype Clock()
{
  do
  :: ticks < 3 -> ticks++
  :: timeout -> break
  od
}

active proctype Watch()
{
  (ticks == 3)
}

never {
  do
  :: _last == 1 && enabled(0) -> break
  :: timeout -> break
  :: else
  od;
  do
  :: pc_value(1) == 0 -> break
  :: true
  od;
  assert(ticks < 3);
accept:
  do
  :: true
  od
}
