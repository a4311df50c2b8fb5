// An else inside an if that begins an option meets the else of the choice
// around it: a place with two of them is refused.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a two_else_rejected.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Doubt()
{
  if
  :: if
     :: x == 1 -> skip
     :: else -> x = 2
     fi
  :: else -> x = 3
  fi
}
