// A process that reached its end is still there until it is the youngest one:
// processes disappear in the reverse order of their creation.
// expect: verdict holds
// expect: errors 0
// expect: stored 15
// expect: matched 10
// expect: transitions 25
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a process_death.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte done;

active [3] proctype Short()
{
  done++
}
