// An array declared inside a block: each pass assigns element 0 only, the
// other elements keep the values of the pass before.
// expect: verdict holds
// expect: errors 0
// expect: stored 23
// expect: matched 0
// expect: transitions 23
// expect: atomic 0
// expect: depth 20
// spin: spin -o1 -o2 -o3 -a decl_array_mid_body.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte turns;

active proctype Remember()
{
  do
  :: turns < 3 ->
     byte a[3];
     assert(a[0] == 0 && a[2] == turns);
     a[0] = 9;
     a[2]++;
     turns++
  :: turns > 1 -> break
  od
}
