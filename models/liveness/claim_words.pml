// What only a claim may ask: who moved last, who could move, where a process
// is, whether nobody can move unless by timeout, and an assertion about it.
// expect: never violated
// expect: never weak violated

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
