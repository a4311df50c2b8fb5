// A process may not be started inside a d_step.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_run_in_d_step.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype B() { skip }

init { d_step { run B(); skip } }
