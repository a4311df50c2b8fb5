// A structure cannot be assigned as a whole.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_whole_structure.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Point { byte x; byte y };

Point p, q;

active proctype A() { p = q }
