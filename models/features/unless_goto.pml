// A jump out of the main sequence leaves the reach of its escape; a jump out
// of the escape goes wherever it likes.
// expect: verdict holds
// expect: errors 0
// expect: stored 59
// expect: matched 26
// expect: transitions 85
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a unless_goto.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool alarm;
byte x;

active proctype Main()
{
restart:
  {
    x = 1;
    if
    :: x == 1 -> goto out
    :: x = 2
    fi;
    x = 3
  } unless {
    alarm -> alarm = false; goto restart
  };
out:
  x = x + 10;
  x = x + 10
}

active proctype Alarm() { alarm = true }
