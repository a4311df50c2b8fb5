// Inlines that call inlines; a local variable of an inline is a step where it
// is declared.
// expect: verdict holds
// expect: errors 0
// expect: stored 145
// expect: matched 122
// expect: transitions 267
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a inline_nested.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte total;

inline add(n)
{
  byte twice = 2 * n;
  total = total + twice
}

inline add_both(p, q)
{
  add(p);
  add(q)
}

active [2] proctype User()
{
  if
  :: add_both(1, 2)
  :: add_both(3, _pid)
  fi;
  assert(total <= 14)
}
