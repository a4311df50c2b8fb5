// pc_value(p) is the number of the control state of process p. The numbers are
// the tool's own, but equal places of two instances have equal numbers: the
// claim ends when the two have been at the same place with different values.
// product: spin -o1 -o2 -o3 -a pc_value.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 9
// expect: matched 10
// expect: transitions 19
// expect: atomic 0
// expect: depth 8
// expect: never holds
// expect: product errors 0
// expect: product stored 9
// expect: product matched 10
// expect: product transitions 19
// expect: product atomic 0
// expect: product depth 17
// spin: spin -o1 -o2 -o3 -a pc_value.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x[2];

active [2] proctype Step()
{
  do
  :: x[_pid]++; x[_pid]++; x[_pid] = 0
  od
}

never {
  do
  :: pc_value(0) != pc_value(1)
  :: pc_value(0) == pc_value(1) && x[0] == x[1]
  :: pc_value(0) == pc_value(1) && x[0] != x[1] -> break
  od
}
