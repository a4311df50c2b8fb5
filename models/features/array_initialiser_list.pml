// An array initialised with a list of values, one for each element.
// expect: verdict holds
// expect: errors 0
// expect: stored 41
// expect: matched 5
// expect: transitions 46
// expect: atomic 0
// expect: depth 12
// spin: spin -o1 -o2 -o3 -a array_initialiser_list.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte weight[3] = { 4, 2, 1 };
byte sum;

active proctype Weigh()
{
  byte used[3] = { 0, 0, 0 };

  do
  :: !used[0] -> used[0] = 1; sum = sum + weight[0]
  :: !used[1] -> used[1] = 1; sum = sum + weight[1]
  :: !used[2] -> used[2] = 1; sum = sum + weight[2]
  :: sum >= 5 -> break
  od;
  assert(sum >= 5 && sum <= 7)
}
