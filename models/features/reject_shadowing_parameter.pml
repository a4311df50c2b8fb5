// Nor may a parameter have the name of a global variable.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_shadowing_parameter.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

proctype A(byte x) { skip }

init { run A(1) }
