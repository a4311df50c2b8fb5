// Priorities cannot be combined with rendezvous channels.
// expect: verdict rejected
// spin: spin -o1 -o2 -o3 -a reject_priority_rendezvous.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan c = [0] of { byte };

active proctype Sender() priority 2 { c ! 1 }

active proctype Receiver() { byte x; c ? x }
