// A single bool or bit is one bit wide, but the elements of an array of them
// are bytes: they keep values that a variable would cut off.
// expect: verdict holds
// expect: errors 0
// expect: stored 79
// expect: matched 54
// expect: transitions 133
// expect: atomic 0
// expect: depth 6
// spin: spin -o1 -o2 -o3 -a array_bool_width.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

bool one;
bool many[2];
bit  bits[2];

active [2] proctype Store()
{
  if
  :: one = 2; assert(one == 0) // spinor: allow(constant-truncation)
  :: many[_pid] = 2; assert(many[_pid] == 2)
  :: bits[_pid] = 257; assert(bits[_pid] == 1)
  fi
}
