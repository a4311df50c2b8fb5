// The claim does not see the inside of an atomic sequence or of a rendezvous,
// but it moves when an atomic sequence blocks half-way.
// product: spin -o1 -o2 -o3 -a never_atomic.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 14
// expect: matched 2
// expect: transitions 16
// expect: atomic 8
// expect: depth 11
// expect: never holds
// expect: product errors 0
// expect: product stored 14
// expect: product matched 4
// expect: product transitions 18
// expect: product atomic 8
// expect: product depth 18
// spin: spin -o1 -o2 -o3 -a never_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { bit };
byte x;
bool go;

active proctype Worker()
{
  atomic { x = 1; x = 2; go; x = 3; c ! 1; x = 5 }
}

active proctype Helper()
{
  go = true;
  c ? 1;
  x = 4
}

never {
  do
  :: x != 1
  :: x == 1 -> break
  od
}
