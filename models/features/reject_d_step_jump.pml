// A jump out of a d_step is refused.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_d_step_jump.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Worker()
{
  d_step {
    x++;
    if
    :: x > 1 -> goto out
    :: else
    fi;
    x--
  };
  x = 5;
out:
  skip
}
