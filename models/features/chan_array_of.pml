// Channels kept in an array and chosen at run time.
// expect: verdict holds
// expect: errors 0
// expect: stored 18
// expect: matched 1
// expect: transitions 19
// expect: atomic 0
// expect: depth 10
// spin: spin -o1 -o2 -o3 -a chan_array_of.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

chan a = [1] of { byte };
chan b = [1] of { byte };
chan table[2];

init {
  byte i, x;

  table[0] = a;
  table[1] = b;
  if
  :: i = 0
  :: i = 1
  fi;
  table[i] ! i + 7;
  if
  :: a ? x -> assert(x == 7)
  :: b ? x -> assert(x == 8)
  fi;
  table[0] = table[1];
  table[0] ! 1;
  assert(full(b))
}
