// References to labels in a formula: the two sections exclude each other.
// expect: verdict holds
// expect: errors 0
// expect: stored 5
// expect: matched 2
// expect: transitions 7
// expect: atomic 2
// expect: depth 3
// expect: ltl exclusive holds
// spin: spin -o1 -o2 -o3 -a remote_ref_claim.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool lock;

ltl exclusive { [] !(Worker[0]@inside && Worker[1]@inside) }

active [2] proctype Worker()
{
  do
  :: atomic { !lock -> lock = true };
     skip;
inside:
     lock = false
  od
}
