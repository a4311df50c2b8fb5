// Two statements on one line need a separator.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_two_statements_one_line.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  skip skip
}
