// Parameters of different declarations are separated by semicolons.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_parameter_list.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype A(byte x, byte y) { skip }

init { run A(1, 2) }
