// An index beyond the end of an array is an error of its own.
// expect: verdict violated
// expect: errors 2
// spin: spin -o1 -o2 -o3 -a index_out_of_range.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte a[3];
byte i;

active proctype Walk()
{
  do
  :: i < 3 -> i++
  :: i > 0 -> a[i] = 1; break
  od
}
