// select with other bounds counts upwards and may stop anywhere: it takes as
// many steps as it counts.
// expect: verdict holds
// expect: errors 0
// expect: stored 74
// expect: matched 40
// expect: transitions 114
// expect: atomic 0
// expect: depth 14
// spin: spin -o1 -o2 -o3 -a select_expr.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte low = 2;
byte v;

active proctype Any()
{
  select (v : low .. low + 4);
  assert(v >= 1 && v <= 6)
}

active proctype Env() { low = 1 }
