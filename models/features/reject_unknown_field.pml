// A field that the structure does not have.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_unknown_field.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Point { byte x; byte y };

Point p;

active proctype A() { p.z = 1 }
