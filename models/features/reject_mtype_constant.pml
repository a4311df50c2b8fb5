// A symbolic name is a constant and cannot be assigned.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_mtype_constant.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { red, green };

active proctype A() { red = 2 }
