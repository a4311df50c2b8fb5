// A model without any process to start with.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_no_process.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

proctype A() { x++ }
