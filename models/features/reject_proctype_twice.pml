// Two proctypes of the same name.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_proctype_twice.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

active proctype A() { skip }

active proctype A() { skip }
