// A formula about infinite runs, checked for acceptance cycles. It fails: the
// clerk may prefer the other customer for ever.
// product: spin -o1 -o2 -o3 -a ltl_liveness.pml && gcc -DNOREDUCE -o pan pan.c && ./pan -a -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 14
// expect: transitions 29
// expect: atomic 0
// expect: depth 9
// expect: ltl served violated
// expect: product errors 2
// expect: product stored 25
// spin: spin -o1 -o2 -o3 -a ltl_liveness.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool waiting[2];

ltl served { [] (waiting[0] -> <> !waiting[0]) }

active [2] proctype Customer()
{
  do
  :: waiting[_pid] = true; (!waiting[_pid])
  od
}

active proctype Clerk()
{
  do
  :: waiting[0] -> waiting[0] = false
  :: waiting[1] -> waiting[1] = false
  od
}
