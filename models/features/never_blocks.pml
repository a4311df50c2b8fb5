// A claim that has no move for the present state ends that path: nothing that
// lies behind it is visited. With this claim the assertion is never reached,
// without it it fails.
// product: spin -o1 -o2 -o3 -a never_blocks.pml && gcc -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000 -c0
// expect: verdict violated
// expect: errors 5
// expect: stored 24
// expect: matched 5
// expect: transitions 29
// expect: atomic 0
// expect: depth 19
// expect: never holds
// expect: product errors 0
// expect: product stored 10
// expect: product matched 0
// expect: product transitions 10
// expect: product atomic 0
// expect: product depth 18
// spin: spin -o1 -o2 -o3 -a never_blocks.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Count()
{
  do
  :: x < 9 -> x++
  :: x >= 5 -> assert(false)
  od
}

never {
  do
  :: x < 3
  :: x == 3 -> (x == 3); (x == 4); (x == 9)
  od
}
