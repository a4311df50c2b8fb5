// A tree of processes that is made from its root and adds up its leaves. Each knows a channel of the
// one that started it, which cannot leave before.
// expect: verdict holds
// expect: errors 0
// expect: stored 5557
// expect: matched 10745
// expect: transitions 16302
// expect: atomic 0
// expect: depth 37
// spin: spin -o1 -o2 -o3 -a handed_on.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

proctype Node(byte height; chan up)
{
  chan down = [1] of { byte };
  byte left, right;

  if
  :: height == 0 -> up ! 1
  :: height > 0 ->
     run Node(height - 1, down);
     run Node(height - 1, down);
     down ? left;
     down ? right;
     up ! left + right
  fi
}

init {
  chan result = [1] of { byte };
  byte leaves;

  run Node(2, result);
  result ? leaves;
  assert(leaves == 4)
}
