// A channel can be initialised at the head of a body only.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_channel_mid_body.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A()
{
  skip;
  chan q = [1] of { byte };

  q ! 1
}
