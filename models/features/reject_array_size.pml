// An array needs at least one element.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_array_size.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[0];

active proctype A() { skip }
