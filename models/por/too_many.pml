// Processes that have nothing to do but to leave. Whoever lets them do so at once never sees that there
// may be too many.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a too_many.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -DVECTORSZ=4096 -o pan pan.c && ./pan -m1000000 -c0

proctype Guest() { byte nothing }

active proctype Host()
{
  do
  :: run Guest()
  od
}
