// Numbers are decimal; there is no 0x.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_hexadecimal.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x = 0x10;

active proctype A() { x++ }
