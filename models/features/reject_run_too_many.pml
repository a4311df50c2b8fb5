// A process started with more arguments than it has parameters.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_run_too_many.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype A(byte x) { skip }

init { run A(1, 2) }
