// There are no arrays of unsigned variables.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_unsigned_array.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

unsigned a[3] : 2;

active proctype A() { a[1] = 3 }
