// A statement that blocks inside a d_step, other than the first, is an error
// that ends the search.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a d_step_blocks.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype Worker()
{
  if
  :: x = 1
  :: x = 2
  fi;
  d_step {
    x++;
    x == 2;
    x++
  }
}
