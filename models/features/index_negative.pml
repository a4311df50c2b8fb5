// A negative index is out of range, too, also when the element is only read.
// expect: verdict violated
// expect: errors 3
// spin: spin -o1 -o2 -o3 -a index_negative.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[2];
short i;

active proctype Walk()
{
  do
  :: i > -2 -> i--
  :: i < 0 -> (a[i] == 0); break
  od
}
