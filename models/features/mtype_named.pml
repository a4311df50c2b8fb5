// Separate families of symbolic names: each is numbered on its own, downwards,
// so that the last name of every family is 1.
// expect: verdict holds
// expect: errors 0
// expect: stored 10
// expect: matched 13
// expect: transitions 23
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a mtype_named.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype:fruit = { apple, pear, plum };
mtype:size  = { big, small };
mtype = { other };

mtype:fruit f = plum;
mtype:size s = small;

active proctype Basket()
{
  assert(f == 1 && s == 1 && other == 1); // spinor: allow(mtype-number)
  do
  :: f = apple
  :: f = pear
  :: s = (s == big -> small : big)
  :: f == apple && s == big -> break
  od;
  assert(f == 3 && s == 2) // spinor: allow(mtype-number)
}
