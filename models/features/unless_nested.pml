// Nested escapes: the outer one is looked at first and also covers the body of
// the inner escape.
// expect: verdict holds
// expect: errors 0
// expect: stored 71
// expect: matched 23
// expect: transitions 94
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a unless_nested.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte level;
byte x;

active proctype Main()
{
  {
    {
      x++;
      x++
    } unless {
      level == 1 -> x = x + 10;
      x = x + 10
    }
  } unless {
    level == 2 -> x = x + 100
  };
  x++
}

active proctype Env()
{
  level = 1;
  level = 2
}
