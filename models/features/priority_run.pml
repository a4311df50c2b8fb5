// Priorities given when a process is started; init has one of its own. The two
// jobs of equal priority interleave, the urgent one runs before them.
// expect: verdict holds
// expect: errors 0
// expect: stored 38
// expect: matched 7
// expect: transitions 45
// expect: atomic 0
// expect: depth 15
// spin: spin -o1 -o2 -o3 -a priority_run.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte x;

proctype Job(byte n)
{
  x = x * 2 + n;
  x = x + 1
}

init priority 9 {
  run Job(0) priority 2;
  run Job(1) priority 2;
  run Job(3) priority 5;
  set_priority(_pid, 1);
  x++
}
