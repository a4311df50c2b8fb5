// A d_step inside an atomic sequence is one of its steps.
// expect: verdict holds
// expect: errors 0
// expect: stored 32
// expect: matched 23
// expect: transitions 55
// expect: atomic 48
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a d_step_in_atomic.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active [2] proctype Worker()
{
  atomic {
    x++;
    d_step { x++; x++ };
    if
    :: x = x - 2
    :: d_step { x = x + 2; x-- }
    fi
  };
  assert(x < 9)
}
