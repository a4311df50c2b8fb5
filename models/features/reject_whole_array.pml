// An array cannot be assigned as a whole.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_whole_array.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[2], b[2];

active proctype A() { a = b }
