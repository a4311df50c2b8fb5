// _pid cannot be assigned.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_predefined_variable.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A() { _pid = 2 }
