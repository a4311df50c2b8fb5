// Processes started with arguments; run gives the number of the new process.
// Arguments are cut to the width of the parameter.
// expect: verdict holds
// expect: errors 0
// expect: stored 150
// expect: matched 184
// expect: transitions 334
// expect: atomic 1
// expect: depth 22
// spin: spin -o1 -o2 -o3 -a run_args.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte sum;

proctype Add(byte a; bool negative; short times)
{
  do
  :: times > 0 -> sum = sum + (negative -> -a : a); times--
  :: else -> break
  od
}

init {
  pid p, q;

  atomic {
    p = run Add(257, 2, 2); // spinor: allow(constant-truncation)
    q = run Add(1, true, 2)
  };
  assert(p == 1 && q == 2);
  (_nr_pr == 1);
  assert(sum == 0)
}
