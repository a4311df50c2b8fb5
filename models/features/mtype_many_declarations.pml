// Several mtype declarations are one list: a later declaration puts its names
// in front, so the names of the first one keep the lowest numbers.
// expect: verdict holds
// expect: errors 0
// expect: stored 17
// expect: matched 0
// expect: transitions 17
// expect: atomic 0
// expect: depth 4
// spin: spin -o1 -o2 -o3 -a mtype_many_declarations.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

mtype = { red, green };
mtype = { north, south, west };

mtype m;

active proctype Draw()
{
  assert(green == 1 && red == 2 && west == 3 && north == 5);
  if
  :: m = red
  :: m = green
  :: m = north
  :: m = south
  :: m = west
  fi;
  assert(m != 0)
}
