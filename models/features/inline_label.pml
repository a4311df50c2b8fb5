// A label inside an inline belongs to each expansion separately, so the same
// inline may be expanded twice in one body.
// expect: verdict holds
// expect: errors 0
// expect: stored 40
// expect: matched 0
// expect: transitions 40
// expect: atomic 0
// expect: depth 18
// spin: spin -o1 -o2 -o3 -a inline_label.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

inline until(v, limit)
{
  v = v % 2;
again:
  if
  :: v < limit -> v++; goto again
  :: v >= limit - 1 -> skip
  fi
}

active proctype User()
{
  until(x, 2);
  until(y, 3);
  assert(x + y >= 3)
}
