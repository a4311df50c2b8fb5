// A message with more fields than the channel has.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_send_too_many.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte, byte };

active proctype A() { q ! 1, 2, 3 }
