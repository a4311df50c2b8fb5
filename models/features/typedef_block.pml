// A structure declared inside a block: one step without effect, so its fields
// keep the values of the pass before.
// expect: verdict holds
// expect: errors 0
// expect: stored 20
// expect: matched 0
// expect: transitions 20
// expect: atomic 0
// expect: depth 17
// spin: spin -o1 -o2 -o3 -a typedef_block.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

typedef Pair { byte left = 3; byte right };

byte turns;

active proctype Keep()
{
  do
  :: turns < 3 ->
     Pair p;
     assert(p.left == 3 && p.right == turns);
     p.right++;
     turns++
  :: turns > 1 -> break
  od
}
