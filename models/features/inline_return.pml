// An inline used as a statement may hand a value back through a parameter.
// expect: verdict holds
// expect: errors 0
// expect: stored 49
// expect: matched 31
// expect: transitions 80
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a inline_return.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

inline maximum(r, p, q)
{
  if
  :: p >= q -> r = p
  :: q >= p -> r = q
  fi
}

active proctype Env() { x = 2; y = 3; x = 4 }

active proctype User()
{
  byte m;

  maximum(m, x, y);
  maximum(m, m, 3);
  assert(m >= 3)
}
