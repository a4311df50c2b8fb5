// A choice inside a d_step is resolved in favour of the first option that can
// be taken; a loop inside it is executed to its end.
// expect: verdict holds
// expect: errors 0
// expect: stored 54
// expect: matched 27
// expect: transitions 81
// expect: atomic 0
// expect: depth 8
// spin: spin -o1 -o2 -o3 -a d_step_if.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x, y;

active [2] proctype Worker()
{
  byte i;

  d_step {
    if
    :: x < 2 -> x++
    :: x < 4 -> x = x + 2
    :: else -> x = 0
    fi;
    do
    :: i < 3 -> i++; y++
    :: i >= 2 -> break
    od;
    i = 0
  };
  if
  :: x == 1 -> y = 9
  :: true -> y = 0
  fi
}
