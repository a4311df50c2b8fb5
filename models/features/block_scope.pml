// Names declared in a block are visible in it only; sibling blocks may use
// the same name. The variables live in the process all the same, and their
// last values still tell states apart after the block has been left.
// expect: verdict holds
// expect: errors 0
// expect: stored 14
// expect: matched 1
// expect: transitions 15
// expect: atomic 0
// expect: depth 7
// spin: spin -o1 -o2 -o3 -a block_scope.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte result;

active proctype Blocks()
{
  if
  :: { byte x = 1; result = x }
  :: { byte x = 2; result = x - 1 }
  fi;
  { short x = 5; x++ };
  result++;
  assert(result == 2)
}
