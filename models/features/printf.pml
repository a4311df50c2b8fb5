// printf is a step that is always executable; its text does not change the
// state. So is printm, which prints a symbolic name.
// expect: verdict holds
// expect: errors 0
// expect: stored 81
// expect: matched 64
// expect: transitions 145
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a printf.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { start, stop };
mtype m = start;
byte x;

active [2] proctype Talk()
{
  printf("hello %d from %d, %c %e %x\n", x, _pid, 65, m, 255);
  x++;
  printm(m);
  if
  :: printf("left\n") -> x++
  :: printf("right\n"); m = stop
  fi
}
