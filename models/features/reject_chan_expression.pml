// A channel is not a number.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_chan_expression.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan q = [1] of { byte };

active proctype A() { q = q + 1 }
