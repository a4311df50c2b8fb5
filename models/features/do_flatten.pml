// A loop that begins an option joins the surrounding choice: there are two
// places with the same options, the entry and the return from an iteration.
// expect: verdict holds
// expect: errors 0
// expect: stored 65
// expect: matched 27
// expect: transitions 92
// expect: atomic 0
// expect: depth 11
// spin: spin -o1 -o2 -o3 -a do_flatten.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Outer()
{
  if
  :: do
     :: x < 3 -> x++
     :: x == 2 -> x = 0; break
     :: x >= 3 -> break
     od
  :: x == 0 -> x = 5
  :: x == 4 -> x = 6
  fi;
  x++
}

active proctype Env() { x = x + 2 }
