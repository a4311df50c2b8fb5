// A variable that is not a channel cannot be sent to.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_send_to_number.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

active proctype A() { x ! 1 }
