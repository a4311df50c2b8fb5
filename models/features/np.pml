// np_ is true in a state where no process is at a progress label. The claim
// accepts runs that are without progress from some point on: there are none.
// product: spin -o1 -o2 -o3 -a np.pml && gcc -DNOREDUCE -o pan pan.c && ./pan -a -m1000000 -c0
// expect: verdict holds
// expect: errors 0
// expect: stored 9
// expect: matched 10
// expect: transitions 19
// expect: atomic 0
// expect: depth 8
// expect: never holds
// expect: product errors 0
// expect: product stored 16
// spin: spin -o1 -o2 -o3 -a np.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte raised;

active [2] proctype Cycle()
{
  do
  :: raised++;
progress:
     raised--;
     skip
  od
}

never {
  do
  :: true
  :: np_ -> break
  od;
accept:
  do
  :: np_
  od
}
