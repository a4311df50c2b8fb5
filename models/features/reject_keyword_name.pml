// A keyword cannot be used as a name.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_keyword_name.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte atomic;

active proctype A() { skip }
