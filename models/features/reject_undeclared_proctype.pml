// A process of an unknown type cannot be started.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_undeclared_proctype.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

init { run Missing(1) }
