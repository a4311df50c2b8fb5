// An inline must be defined before the place where it is used.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_inline_later.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A() { later() }

inline later() { x++ }
