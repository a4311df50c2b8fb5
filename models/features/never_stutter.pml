// When the system has come to its end, the claim goes on alone: it counts the
// idle steps of a run that has ended.
// product: spin -o1 -o2 -o3 -a never_stutter.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 13
// expect: matched 6
// expect: transitions 19
// expect: atomic 0
// expect: depth 6
// expect: never violated
// expect: product errors 2
// expect: product stored 18
// expect: product matched 6
// expect: product transitions 24
// expect: product atomic 0
// expect: product depth 16
// spin: spin -o1 -o2 -o3 -a never_stutter.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Stop() { x++; x++ }

never {
  do
  :: x < 4
  :: x == 4 -> break
  od;
  (x == 4);
  (x == 4);
  (x == 4)
}
