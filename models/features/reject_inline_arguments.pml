// An inline called with too few arguments.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_inline_arguments.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

inline set(v, n) { v = n }

active proctype A() { set(x) }
