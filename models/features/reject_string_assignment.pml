// A string is not a value.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_string_assignment.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A() { x = "one" }
