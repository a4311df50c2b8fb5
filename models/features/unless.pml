// Before every statement of the main sequence the escape is looked at: as soon
// as its guard holds, it is taken instead. The escape of a sequence that has
// ended is not looked at any more.
// expect: verdict holds
// expect: errors 0
// expect: stored 51
// expect: matched 21
// expect: transitions 72
// expect: atomic 0
// expect: depth 9
// spin: spin -o1 -o2 -o3 -a unless.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool alarm;
byte x;

active proctype Main()
{
  {
    x = 1;
    x = 2;
    x = 3
  } unless {
    alarm -> x = x + 10
  };
  assert(x == 3 || (x >= 10 && x <= 12))
}

active proctype Alarm()
{
  alarm = true;
  alarm = false
}
