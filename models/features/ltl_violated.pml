// A formula that does not hold. Its negation runs beside the system; the counts
// called "product" are those of the two together.
// product: spin -o1 -o2 -o3 -a ltl_violated.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 6
// expect: matched 15
// expect: transitions 21
// expect: atomic 0
// expect: depth 5
// expect: ltl small violated
// expect: product errors 2
// expect: product stored 6
// expect: product matched 21
// expect: product transitions 27
// expect: product atomic 2
// expect: product depth 13
// spin: spin -o1 -o2 -o3 -a ltl_violated.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

ltl small { [] (x < 4) }

active [2] proctype Count()
{
  do
  :: d_step { x < 5 -> x++ }
  :: d_step { x > 0 -> x-- }
  od
}
