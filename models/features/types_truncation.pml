// Assignments keep only the bits of the declared type: a byte wraps at 256, a
// short keeps its sign, and a bool takes the lowest bit, so 2 becomes 0.
// expect: verdict holds
// expect: errors 0
// expect: stored 19
// expect: matched 0
// expect: transitions 19
// expect: atomic 0
// expect: depth 3
// spin: spin -o1 -o2 -o3 -a types_truncation.pml && gcc -DNOREDUCE -DSAFETY -DNOCLAIM -o pan pan.c && ./pan -m1000000 -c0

byte  b = 255;
short s = 32767;
bit   t;
bool  flag = true;

active proctype Overflow()
{
  do
  :: b++; assert(b == 0); break
  :: s++; assert(s == -32768); break
  :: t = 3; assert(t == 1); break // spinor: allow(constant-truncation)
  :: flag = 2; assert(!flag); break // spinor: allow(constant-truncation)
  :: b = -1; assert(b == 255); break // spinor: allow(constant-truncation)
  :: s = 70000; assert(s == 4464); break // spinor: allow(constant-truncation)
  od
}
