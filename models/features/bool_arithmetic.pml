// true and false are 1 and 0; bool, bit and unsigned : 1 hold one bit each.
// expect: verdict holds
// expect: errors 0
// expect: stored 87
// expect: matched 88
// expect: transitions 175
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a bool_arithmetic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool p = true;
bit  q;
unsigned r : 1;

active [2] proctype Flip()
{
  if
  :: p = p + q
  :: q = q - 1
  :: r = p ^ q
  fi;
  assert(p + q + r <= 3);
  p = !p
}
