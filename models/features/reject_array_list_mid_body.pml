// A list of initial values is allowed at the head of a body only.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_array_list_mid_body.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  skip;
  byte a[3] = { 1, 2, 3 };

  a[0]++
}
