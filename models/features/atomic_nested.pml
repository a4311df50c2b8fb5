// An atomic sequence inside another one changes nothing.
// expect: verdict holds
// expect: errors 0
// expect: stored 17
// expect: matched 10
// expect: transitions 27
// expect: atomic 41
// expect: depth 16
// spin: spin -o1 -o2 -o3 -a atomic_nested.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Nest()
{
  atomic {
    x++;
    atomic {
      x++;
      if
      :: x > 2 -> x++
      :: x > 1 -> x--
      fi
    };
    x++
  };
  x = 0
}
