// There is no next operator in formulas.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_ltl_next.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

ltl next { X (x == 1) }

active proctype A() { x++ }
