// An escape that is a choice: all of its options that can be taken are.
// expect: verdict holds
// expect: errors 0
// expect: stored 52
// expect: matched 30
// expect: transitions 82
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a unless_options.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte level, x;

active proctype Main()
{
  {
    x = 1;
    x = 2;
    x = 3
  } unless {
    if
    :: level == 1 -> x = 10
    :: level >= 1 -> x = 20
    :: level == 2 -> x = 30
    fi
  }
}

active proctype Env()
{
  level = 1;
  level = 2
}
