// Looking into another process: at a label with @, at a local variable with a
// colon. Both name the instance by its process number.
// expect: verdict holds
// expect: errors 0
// expect: stored 56
// expect: matched 63
// expect: transitions 119
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a remote_ref.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Worker()
{
  byte n;

  n = _pid + 1;
work:
  x++;
  x--
}

active proctype Watch()
{
  do
  :: Worker[0]@work -> assert(Worker[0]:n == 1)
  :: Worker[0]:n == 1 && !Worker[1]@work -> break
  :: Worker[1]@work && x == 2 -> break
  od
}
