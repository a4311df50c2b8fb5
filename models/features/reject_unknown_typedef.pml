// A variable of an unknown structure.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_unknown_typedef.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

Point p;

active proctype A() { p.x = 1 }
