// Arrays of structures and arrays inside structures.
// expect: verdict holds
// expect: errors 0
// expect: stored 183
// expect: matched 156
// expect: transitions 339
// expect: atomic 0
// expect: depth 26
// spin: spin -o1 -o2 -o3 -a typedef_array.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Row { byte cell[3] };

Row grid[2];

active [2] proctype Fill()
{
  byte k;

  do
  :: k < 3 -> grid[_pid].cell[k] = k + _pid; k++
  :: else -> break
  od;
  assert(grid[_pid].cell[2] == 2 + _pid);
  assert(grid[1 - _pid].cell[0] <= 1)
}
