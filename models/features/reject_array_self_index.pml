// An array may not be indexed with one of its own elements.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_array_self_index.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte v[3];

active proctype A() { v[v[0]] = 1 }
