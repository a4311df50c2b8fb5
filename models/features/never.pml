// A never claim describes runs that must not exist. It moves in turn with the
// system, and an error is reported when it reaches its end.
// product: spin -o1 -o2 -o3 -a never.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 6
// expect: matched 7
// expect: transitions 13
// expect: atomic 0
// expect: depth 5
// expect: never violated
// expect: product errors 6
// expect: product stored 14
// expect: product matched 9
// expect: product transitions 23
// expect: product atomic 0
// expect: product depth 12
// spin: spin -o1 -o2 -o3 -a never.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool a, b;

active proctype Left()  { do :: a = true; skip; a = false od }
active proctype Right() { do :: b = true; b = false od }

never {
  do
  :: true
  :: a && !b -> goto one
  od;
one:
  do
  :: a && b -> break
  :: a && !b
  od
}
