// A variable of an inner block may not have the name of one of the block around
// it.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_shadowing_block.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  byte x;

  x++;
  {
    byte x;

    x++
  }
}
