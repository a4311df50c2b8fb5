// The priority comes before the provided clause.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_provided_before_priority.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A() provided (x == 0) priority 2 { x++ }
