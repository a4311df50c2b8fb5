// run may not be an operand of a logical operator.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_run_and.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

proctype A() { skip }

init { (run A() && x == 0) }
