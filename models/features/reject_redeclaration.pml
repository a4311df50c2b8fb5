// A name declared twice in the same scope.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_redeclaration.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;
byte x;

active proctype A() { x++ }
