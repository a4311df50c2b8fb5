// An escape leaves a loop at any point; here an interrupt ends an endless one.
// A statement that blocks is left as well.
// expect: verdict holds
// expect: errors 0
// expect: stored 62
// expect: matched 37
// expect: transitions 99
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a unless_loop.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool interrupt;
byte x;

active proctype Loop()
{
  do
  :: {
       do
       :: x < 4 -> x++
       :: x > 2 -> x = x - 2; (x > 0)
       od
     } unless {
       interrupt -> interrupt = false
     };
     break
  od;
  x = 0
}

active proctype Timer() { interrupt = true }
