// There may be at most 255 processes; starting one more ends the search.
// expect: verdict violated
// expect: errors 1
// spin: spin -o1 -o2 -o3 -a too_many_processes.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -DVECTORSZ=4096 -o pan pan.c && ./pan -m1000000 -c0

byte n;

proctype Child() { (false) }

init {
  do
  :: run Child(); n++
  od
}
